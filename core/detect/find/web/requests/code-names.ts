import words from '../../lists/php-functions.json' with { type: 'json' };
/** PHP functions that run, read, write or reveal something; a request has no reason to call one. */
export const PHP_FUNCTIONS: ReadonlySet<string> = new Set(words.phpFunctions);

/** Classes and methods through which a serialised Java object runs code when it is deserialised. */
export const GADGETS =
  /clonetransformer|forclosure|whileclosure|instantiatefactory|instantiatetransformer|invokertransformer|prototypeclonefactory|prototypeserializationfactory|templatesimpl|badattributevalue|annotationinvocation|jdbcrowset|xmldecoder|filewriter|processbuilder|scriptenginemanager|_\$\$nd_func/i;
