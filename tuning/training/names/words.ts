/** Words that indicate what is next to them; each list is one bit of the lexicon. */

const list = (words: string): readonly string[] => words.trim().split(/\s+/);

/** Words after which a name often follows, even in small letters. */
export const CUE_WORDS = list(`
name named names called mr mrs ms miss mx dr prof professor sir madam dear hi hello hey regards sincerely cheers
signed attn attention contact recipient sender patient client customer employee author owner tenant applicant
beneficiary nominee guardian spouse husband wife mother father brother sister son daughter uncle aunt cousin nephew
niece grandson grandfather grandmother friend colleague manager nurse doctor lawyer teacher boss neighbour neighbor
firstname lastname fullname surname forename nickname username cardholder passenger guest student member assignee
reporter requester approver supervisor landlord monsieur madame mademoiselle herr frau señor señora senor senora
signor signora don doña nombre nom prénom apellido heiße heisse appelle llamo chiamo meet ask tell call
sr sra srta dª sig dott dhr mevr mw mevrouw meneer heer herrn mme pan pani pana pane paní fru frøken hr rouva herra domnul
doamna dl dna bey hanım sayın господин госпожа пан пані senhor senhora dona signore egr exma exmo dra
address addresses street live lives lived living located resides deliver delivered delivery ship shipped shipping sent
adresse dirección direccion indirizzo endereço wohnhaft wohne
`);

/** Words inside names and addresses. */
export const PARTICLE_WORDS = list(`
van von der den de del della di da dos das do du des la le les los las el al bin ibn bint abu ter ten zu zum zur
of the and y e of st saint ap ben mac af av auf an am im in
`);

/** Words of a postal address. */
export const STREET_WORDS = list(`
street st avenue ave road rd boulevard blvd lane ln drive dr court ct square sq terrace place pl way parkway pkwy
highway hwy close crescent cres grove circle cir trail alley mews walk row hill gardens green rise view quay wharf
route rte turnpike plaza loop path pike crossing heights ridge
apt apartment unit suite ste floor flat room rm building bldg block house box po pobox postbox postfach corner
rue allée allee impasse quai chemin cours bis lieu cedex
strasse straße str platz weg gasse ring damm ufer allee hausnummer stiege
calle avenida avda plaza paseo camino carretera piso puerta colonia
via viale piazza corso vicolo largo strada piazzale
rua travessa alameda praça praca estrada rodovia bairro
straat laan plein gracht kade dijk steeg
ulica ul aleja plac osiedle os al
gatan vägen gata vei veien vej gade plads katu tie kuja gränd
utca út tér ulice náměstí namesti třída
улица ул проспект пр дом кв переулок площадь
οδός λεωφόρος πλατεία
psc apo fpo dpo cmr
cadde caddesi sokak sokağı mahallesi bulvarı
marg nagar sector phase colony
nw ne sw se
`);

/** Well-known place names, so that they are not mistaken for persons. */
export const PLACE_WORDS = list(`
london paris berlin madrid rome vienna lisbon dublin amsterdam brussels copenhagen stockholm oslo helsinki warsaw
prague budapest athens istanbul moscow kyiv kiev bucharest sofia belgrade zagreb zurich geneva basel munich hamburg
cologne frankfurt stuttgart milan venice florence naples turin barcelona valencia seville lyon marseille nice bordeaux
toulouse manchester birmingham liverpool leeds glasgow edinburgh cardiff belfast bristol oxford cambridge york bath
boston chicago houston dallas austin denver seattle portland phoenix atlanta miami detroit cleveland philadelphia
pittsburgh baltimore washington memphis nashville charlotte orlando tampa sacramento oakland francisco angeles diego
vegas orleans york jersey hampshire carolina dakota virginia georgia florida texas california nevada arizona utah
colorado kansas nebraska iowa ohio michigan indiana illinois wisconsin minnesota missouri arkansas louisiana
mississippi alabama tennessee kentucky pennsylvania maryland delaware connecticut massachusetts vermont maine oregon
idaho montana wyoming oklahoma hawaii alaska toronto montreal vancouver ottawa calgary quebec ontario alberta
sydney melbourne brisbane perth adelaide auckland wellington tokyo osaka kyoto beijing shanghai shenzhen guangzhou
hong kong taipei seoul busan singapore bangkok jakarta manila hanoi delhi mumbai bangalore chennai kolkata hyderabad
pune karachi lahore dhaka kathmandu kabul tehran baghdad damascus beirut jerusalem amman riyadh dubai doha cairo
tunis algiers casablanca rabat lagos abuja accra nairobi kampala addis johannesburg pretoria durban cape mexico havana
bogota lima santiago quito caracas brasilia rio janeiro paulo buenos aires montevideo
africa europe asia america australia antarctica atlantic pacific mediterranean alps himalayas sahara amazon nile
mississippi danube rhine thames jordan everest england scotland wales ireland britain
`);

/** Capitalised words that are nobody's name: languages, peoples, months, products, companies, technology, religion. */
export const PROPER_WORDS = list(`
january february march april may june july august september october november december jan feb mar apr jun jul aug sep
sept oct nov dec monday tuesday wednesday thursday friday saturday sunday christmas easter halloween thanksgiving
ramadan diwali hanukkah
english french german spanish italian portuguese dutch russian chinese japanese korean arabic hindi turkish greek
latin hebrew polish swedish danish norwegian finnish hungarian czech american british european asian african indian
canadian australian mexican brazilian irish scottish roman egyptian victorian christian muslim jewish catholic
buddhist hindu islam christianity buddhism bible quran marxist
python java javascript typescript rust ruby perl kotlin swift scala haskell julia matlab php sql html css xml json
yaml node react angular vue django flask spring rails laravel numpy pandas pytorch tensorflow keras docker kubernetes
jenkins ansible terraform git github gitlab linux ubuntu debian fedora windows macos android ios chrome firefox safari
excel word powerpoint outlook photoshop wordpress bootstrap jquery mongodb postgres postgresql mysql redis kafka
elasticsearch hadoop spark airflow apache nginx oracle sqlite unicode ascii api rest graphql http https url uri
google microsoft apple amazon facebook meta twitter instagram youtube netflix spotify uber airbnb tesla ford toyota
honda bmw mercedes audi volkswagen boeing airbus ibm intel nvidia amd samsung sony nokia siemens adidas nike
coca-cola pepsi starbucks walmart disney pixar nasa fbi cia nato un eu uk usa us openai chatgpt gpt claude gemini alexa
siri cortana bard llama visa mastercard paypal fedex dhl ups wikipedia linkedin whatsapp tiktok reddit
inc ltd llc corp corporation company gmbh ag plc group holdings university college institute school hospital church
bank museum library theatre department ministry committee association foundation society council agency bureau
airport station river lake mountain mount island bay ocean sea valley park bridge castle tower palace stadium
award prize medal championship cup league olympics war battle treaty act law theorem syndrome disease
god lord king queen prince princess president minister senator captain general colonel sergeant
mercury venus mars jupiter saturn uranus neptune pluto earth moon
todo note warning error debug info true false null none undefined
`);

/** Ordinary words in languages other than English, which has its own lists. */
export const COMMON_FOREIGN = list(`
und oder der die das ein eine ist sind war mit für von nicht ich sie wir bitte danke guten tag mein meine ihr ihre
auf bei aus nach wie was wenn aber auch noch nur sehr kann bin habe haben wird werden
et ou le la les un une est sont avec pour dans sur pas je vous nous mon ma mes votre merci bonjour que qui il elle
au aux ce cette plus peut suis
y o el los las un una es son con para por no yo usted mi su gracias hola que en se al lo más pero como este
e il gli una è sono con per non io mio mia suo grazie ciao che di da nel della alla
e um uma é são com para não eu meu minha seu obrigado olá que em no na
liebe lieber liebes viele grüße gruß herzliche freundlichen geehrte geehrter chère cher chers cordialement
estimado estimada querido querida atentamente saludos gentile caro cara saluti distinti cordiali prezado prezada atenciosamente beste
vriendelijke groet groeten hej hei med vänlig hälsning pozdrawiam szanowny szanowna drogi droga
en het een is zijn met voor van niet ik mijn uw dank hallo
`);

/** Pronouns, prepositions, forms of "to be" and the like in other languages; some of them are rare names too. */
export const FUNCTION_WORDS = list(`
dem den des einem einen einer eines kein keine über unter durch gegen ohne zwischen seit während wegen dass weil als ob
dieser diese dieses jeder jede alle beim zum zur vom im am ins es er uns ihm ihn ihnen euch seine sein dein deine unser
hat hatte war waren wurde worden soll sollte muss müssen möchte könnte könnten gibt geht nun dann dort hier jetzt heute
ces cet leur leurs sa ses notre nos elle elles ils te ne où quand comme mais donc car si sans sous entre
chez vers depuis pendant après avant très bien fait être avoir était veuillez vos aussi encore déjà
esta este estos estas eso ese esa sus nuestro nuestra ellos ella él cuando donde porque aunque sin sobre
desde hasta muy también ya ser estar fue era hay favor
questo questa questi queste quello quella suo sua loro quando dove perché anche senza sopra
dal dalla dello degli dei delle nei nelle sul sulla molto già essere fu hanno ogni ed infatti inoltre prego
isto isso esse essa seus suas nosso nossa eles elas ele onde também sem
até muito já foi há pela pelo ao aos agora ainda
dit dat deze die zijn haar hun onze jullie jij hij zij wij maar want omdat naar over onder tussen door bij uit tot
zonder sinds heeft had was werd kan moet zal wil graag ook nog nu daar
och att det som en ett av för på är har hade inte med till från hon sitt deras
detta denna dessa eller när där här bara också mycket mer än efter under över mellan utan både ska skall skulle
og at et af for havde ikke til sit sine deres vores
dette denne disse når hvor her bare også meget mere end mellem uden skal
jeg meg deg seg hennes vårt våre noe noen blir ble være etter uten begge
ja on ei että hän me he joka mikä kun jos niin myös mutta tai vain kuin ovat oli olivat ollut
olet tämä tuo nämä siitä sitä sen nyt vielä kanssa ennen jälkeen vaikka koska miten missä
na do że się nie jest są był była było od po za przed przy dla lub albo jak kiedy gdzie który która które
ten ta to tego tej tym czy już tylko także bardzo można proszę prosimy dziękuję dziękujemy jego jej ich nasz nasza
že je jsou byl byla bylo před při pro nebo když kde který která které
tento tato už jen také velmi prosím děkuji děkujeme jeho její jejich náš naše
az egy és hogy nem is volt vannak lesz mint csak már még el fel ki be ez azt ezt aki ami amely mert
vagy pedig után előtt között nélkül minden nagyon kérem kérjük köszönöm köszönjük én mi ti ők
și în pe cu că sunt au are pentru prin sau dacă când unde care acest această acesta foarte
doar deja după înainte între fără vă rog mulțumesc ea
ve bir bu şu ile için gibi daha çok ama veya nasıl nerede yok değil olan olarak sonra önce kadar
hiç lütfen teşekkürler biz siz onlar
yang ke dari untuk dengan pada adalah ini itu tidak akan sudah telah juga atau tetapi karena jika saya kami kita
anda mereka dia oleh dalam sebagai mohon silakan terima kasih
của có không được với một các những này đó khi để trong ngoài trên dưới từ đến như nhưng hoặc nếu vì tôi bạn
ông chúng mình rất cũng đã đang sẽ xin cảm ơn vui lòng
на не что по из за от до об для при это как так но или если когда где который ты он она мы вы они его её
их мой наш ваш был была были быть есть уже ещё только также очень пожалуйста спасибо прошу
та що із від про це як але або якщо коли де який ти він вона ми ви вони його її
їх мій був була були бути вже ще тільки також дуже будь ласка дякую
και το τα τη την της του των τον τους στο στη στην στα στους με για από που ότι δεν να θα είναι ήταν έχει αλλά αν όταν
εγώ εσύ αυτός αυτή εμείς εσείς πολύ παρακαλώ ευχαριστώ
het een met voor niet ik mijn uw dank hallo
`);

/** Companies, products and works that are named like persons. */
export const NAMES_OF_THINGS: readonly string[] = [
  'JP Morgan',
  'Morgan Stanley',
  'Goldman Sachs',
  'Merrill Lynch',
  'Lehman Brothers',
  'Johnson & Johnson',
  'Procter & Gamble',
  'Harley Davidson',
  'Harley-Davidson',
  'Louis Vuitton',
  'Calvin Klein',
  'Hugo Boss',
  'Tommy Hilfiger',
  'Michael Kors',
  'Giorgio Armani',
  'Jack Daniels',
  'Jim Beam',
  'Johnnie Walker',
  'Captain Morgan',
  'Dr Pepper',
  "Wendy's",
  "McDonald's",
  'Papa Johns',
  'Tim Hortons',
  "Trader Joe's",
  'Whole Foods',
  "Levi's",
  'Lloyds',
  'Barclays',
  'Wells Fargo',
  'Charles Schwab',
  'Edward Jones',
  'Raymond James',
  'Thomson Reuters',
  'Dow Jones',
  'Standard Chartered',
  'Rolls Royce',
  'Aston Martin',
  'Alfa Romeo',
  'Ford Fiesta',
  'Chevrolet',
  'Chrysler',
  'Ferrari',
  'Lamborghini',
  'Lockheed Martin',
  'Booz Allen',
  'Eli Lilly',
  'Bristol Myers',
  'Novartis',
  'Pfizer',
  'Moderna',
  'Bayer',
  'Abbott',
  'Kellogg',
  'Hershey',
  'Heinz',
  'Nestle',
  'Danone',
  'Ericsson',
  'Philips',
  'Dell',
  'Hewlett Packard',
  'Oracle',
  'Cisco',
  "Macy's",
  'Nordstrom',
  "Sainsbury's",
  'John Lewis',
  'Aldi',
  'Lidl',
  'Carrefour',
  'Fisher Price',
  'Black & Decker',
  "Ben & Jerry's",
  'Dunkin Donuts',
  "Victoria's Secret",
  'Marks & Spencer',
  'Harry Potter',
  'Game of Thrones',
  'Star Wars',
  'Mona Lisa',
  'Romeo and Juliet',
  'Alice in Wonderland',
  'Jane Eyre',
  'Anna Karenina',
  'Emma',
  'Hamlet',
  'Carmen',
  'Moby Dick',
  'Jurassic Park',
  'Labor Day',
  'Mothers Day',
  'Independence Day',
  'Valentines Day',
  'St. Patricks Day',
  'Martin Luther King Day',
  'Nobel Prize',
  'Pulitzer Prize',
  'Booker Prize',
  'Fields Medal',
  'Gauss',
  'Caesar cipher',
  'Huffman coding',
  'Dijkstra',
  'Bayes theorem',
  'Monte Carlo',
  'Fourier transform',
  'Turing test',
  'Turing machine',
  'Newton method',
  'Boolean',
  'Poisson',
  'Bernoulli',
  'Markov chain',
  'Fibonacci',
  'Pascal triangle',
  'Euler',
  'Laplace',
  'Taylor series',
  'Hessian',
  'Jacobian',
  'Gaussian',
  'Levenshtein',
  'Bloom filter',
  'Venn diagram',
  'Parkinson disease',
  'Alzheimer',
  'Down syndrome',
  'Petri dish',
  'Geiger counter',
  'Richter scale',
  'Celsius',
  'Fahrenheit',
  'Kelvin',
  'Caesar salad',
  'Earl Grey',
  'Granny Smith',
  'Chicken Alfredo',
  'Bloody Mary',
  'Tom Yum',
  'Victoria sponge',
  'Ruby on Rails',
  'Julia',
  'Ruby',
  'Pascal',
  'Ada',
  'Jasmine',
  'Jenkins',
  'Claude',
  'Watson',
  'Lambda',
  'Bash',
  'Jest',
  'Jira',
  'Maven',
  'Gradle',
  'Cassandra',
  'Hudson River',
  'Lake Victoria',
  'Mount Rainier',
  'St. Helens',
  'Madison Square Garden',
  'Lincoln Center',
  'Kennedy Space Center',
  'Heathrow',
  'Notre Dame',
  'Sagrada Familia',
  'San Marino',
  'Santa Claus',
  'Santa Fe',
  'San Antonio',
  'St. Louis',
  'Los Angeles',
  'Costa Rica',
  'Puerto Rico',
  'Sierra Leone',
  'Saint Lucia',
];
