/**
 * Services whose keys have no format of their own (hexadecimal digits, UUIDs): only the service's name before a key
 * says what it is.
 */
export const ISSUERS: readonly string[] = (
  'adafruit adobe airtable algolia alibaba asana atlassian beamer bitbucket bittrex meraki cloudflare codecov cohere ' +
  'coinbase confluent contentful databricks datadog deepseek digitalocean discord docusign droneci dropbox elastic etsy ' +
  'facebook fastly figma finicity finnhub flickr freshbooks freshdesk gitter gocardless grafana heroku hubspot ' +
  'infura intercom jenkins jfrog jumpcloud kraken kucoin launchdarkly linear linkedin looker mailchimp mailgun mapbox ' +
  'mattermost maxmind messagebird mixpanel mistral monday.com netlify newrelic new-relic nytimes okta openai openweather ' +
  'opsgenie pagerduty paypal pinecone plaid pubnub pusher rapidapi razorpay rollbar segment sendbird sendgrid sendinblue ' +
  'sentry shodan snyk sonar splunk spotify square squarespace stripe sumologic telegram travisci trello twilio twitch ' +
  'twitter typeform vercel virustotal yandex zendesk zoom'
).split(' ');
