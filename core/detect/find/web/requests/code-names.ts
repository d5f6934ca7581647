/** Functions of PHP that run, read, write or tell something; a request has no reason to call one. */
export const PHP_FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'assert array_map array_filter array_walk array_diff_uassoc array_diff_ukey array_intersect_uassoc array_reduce array_udiff arsort ' +
    'base64_decode base64_encode basename bin2hex bzopen bzread call_user_func call_user_func_array chdir checkdate chgrp chmod chown chr ' +
    'chroot closelog constant convert_uuencode copy crc32 create_function curl_exec curl_init curl_multi_exec curl_setopt debug_backtrace ' +
    'define dirname disk_free_space disk_total_space dl escapeshellarg escapeshellcmd error_log error_reporting eval exec extract ' +
    'fclose feof fgetc fgets fgetcsv file file_exists file_get_contents file_put_contents fileatime filegroup fileinode filemtime fileowner ' +
    'fileperms filesize filetype finfo_open flock fopen forward_static_call fpassthru fputcsv fputs fread fscanf fseek fsockopen fstat ftp_connect ' +
    'ftp_exec ftp_get ftp_put ftp_login func_get_args fwrite get_cfg_var get_current_user get_defined_vars get_object_vars getallheaders ' +
    'getcwd getenv gethostbyaddr gethostbyname gethostname getimagesize getlastmod getmygid getmyinode getmypid getmyuid getopt glob gzcompress ' +
    'gzdecode gzdeflate gzencode gzfile gzgets gzinflate gzopen gzread gzuncompress gzwrite header header_register_callback hex2bin ' +
    'highlight_file highlight_string html_entity_decode htmlspecialchars iconv ignore_user_abort imagecreatefrompng imap_open include ' +
    'include_once ini_alter ini_get ini_get_all ini_restore ini_set intval invoke is_a is_callable is_dir is_executable is_file is_link ' +
    'is_readable is_writable iterator_apply json_decode json_encode lchgrp lchown link linkinfo lstat mail mb_ereg_replace mb_parse_str md5 md5_file ' +
    'mkdir move_uploaded_file mysql_query mysqli_query ob_get_contents ob_start opendir openlog openssl_decrypt pack parse_ini_file ' +
    'parse_str passthru pcntl_exec pcntl_fork pfsockopen pg_query php_ini_loaded_file php_sapi_name php_strip_whitespace php_uname phpcredits ' +
    'phpinfo phpversion popen posix_getegid posix_getlogin posix_getpwuid posix_kill posix_mkfifo posix_mknod posix_setpgid posix_setsid ' +
    'posix_setuid posix_uname preg_filter preg_match preg_replace preg_replace_callback print_r printf proc_close proc_get_status proc_nice ' +
    'proc_open proc_terminate putenv readdir readfile readgzfile readline readlink realpath register_shutdown_function ' +
    'register_tick_function rename require require_once restore_exception_handler rmdir rot13 scandir serialize session_destroy session_id ' +
    'session_start set_error_handler set_exception_handler set_time_limit setcookie setlocale shell_exec show_source sha1_file simplexml_load_file simplexml_load_string ' +
    'sleep spl_autoload_register sprintf sqlite_open sscanf str_replace str_rot13 stream_context_create stream_get_contents stream_socket_client ' +
    'stripslashes strrev strtolower strtoupper substr symlink syslog system sys_get_temp_dir tempnam tmpfile token_get_all touch trigger_error uasort ' +
    'ucfirst uksort umask unlink unpack unserialize urldecode usleep usort utf8_decode var_dump var_export vprintf wordwrap xml_parse zip_open ' +
    'zend_version zlib_decode sodium_crypto_secretbox random_bytes password_hash hash_file hash_hmac mcrypt_decrypt apache_get_modules ' +
    'apache_setenv apache_child_terminate event_new exif_imagetype exif_read_data image2wbmp imagepng ldap_search libxml_disable_entity_loader ' +
    'odbc_exec readline_completion_function socket_connect socket_create ssh2_connect ssh2_exec xpath'
  ).split(' '),
);

/** Classes and methods by which a serialised Java object runs something when it is read. */
export const GADGETS =
  /clonetransformer|forclosure|whileclosure|instantiatefactory|instantiatetransformer|invokertransformer|prototypeclonefactory|prototypeserializationfactory|templatesimpl|badattributevalue|annotationinvocation|jdbcrowset|xmldecoder|filewriter|processbuilder|scriptenginemanager|_\$\$nd_func/i;
