import words from '../../lists/php-functions.json' with { type: 'json' };
/** Functions of PHP that run, read, write or tell something; a request has no reason to call one. */
export const PHP_FUNCTIONS: ReadonlySet<string> = new Set(words.phpFunctions);

/** Classes and methods by which a serialised Java object runs something when it is read. */
export const GADGETS =
  /clonetransformer|forclosure|whileclosure|instantiatefactory|instantiatetransformer|invokertransformer|prototypeclonefactory|prototypeserializationfactory|templatesimpl|badattributevalue|annotationinvocation|jdbcrowset|xmldecoder|filewriter|processbuilder|scriptenginemanager|_\$\$nd_func/i;
