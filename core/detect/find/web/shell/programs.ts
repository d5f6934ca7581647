/** Programs whose names are no words of English: one of them behind a separator is a command. */
const NAMES =
  'whoami uname ifconfig ipconfig netstat hostname ls ll dir pwd ps printenv nc ncat netcat telnet curl wget nslookup getent ' +
  'bash sh zsh ksh dash csh tcsh ash pwsh powershell cmd python python2 python3 perl ruby php node lua gcc cc g++ awk gawk mawk nawk ' +
  'sed grep egrep fgrep rgrep zgrep zcat bzcat xzcat xxd hexdump base64 base32 md5sum sha1sum sha256sum tac nl od uniq xargs tee chmod ' +
  'chown chgrp chroot chattr lsattr rmdir mkdir mkfifo mknod mktemp ln cp mv scp ssh sftp rsync ftp tftp lftp dpkg apt apt-get yum dnf rpm ' +
  'apk pacman npm npx pip pip3 gem cargo crontab systemctl journalctl dmesg lsof lsblk lspci lsusb fdisk mkfs mount umount df du vmstat ' +
  'iostat ipcs iptables ufw tcpdump nmap socat xterm screen tmux nohup sudo su useradd usermod userdel adduser deluser addgroup groupadd ' +
  'passwd chpasswd lastlog lastcomm chsh chfn getfacl setfacl vi vim nano emacs pico gdb strace ltrace ldd ldconfig busybox sysctl ' +
  'insmod rmmod modprobe lsmod htop pkill killall pgrep pidof renice nsenter unshare docker kubectl git svn tar gzip gunzip bzip2 unzip ' +
  'zip 7z 7za cpio ar wc printf strings traceroute tracert traceroute6 ping6 arp ifdown ifup ip iwconfig dhclient mysql mysqldump psql sqlite3 ' +
  'redis-cli mongo openssl gpg certutil bitsadmin tasklist taskkill systeminfo wmic reg regsvr32 rundll32 mshta cscript wscript schtasks ' +
  'sc netsh nbtstat nltest vssadmin icacls cacls attrib xcopy robocopy setx findstr driverquery gpresult qwinsta doskey ver vol chcp ' +
  'rm id env sysinfo gcore setarch stdbuf unexpand csplit cscli crictl ctr jjs jrunscript irb rlwrap ' +
  'csvtool dmsetup ionice run-parts start-stop-daemon msfconsole hping3 nikto sqlmap setx eval exec lsb_release arch nproc';

/** Programs that are also words: their arguments must look like arguments. */
const WORDS =
  'cat more less head tail find sort cut split join paste fold column pr comm diff cmp file touch test time timeout sleep wait kill ' +
  'nice watch yes true false echo type which whereis who users last history alias set unset export source read cd pushd popd date cal batch ' +
  'make man info help look script screen service reboot shutdown halt poweroff init logout login mail sendmail mailx host dig ping ' +
  'whois finger talk write wall link unlink install truncate dd tr rev shuf seq factor expand patch locate updatedb free top uptime ' +
  'route net print copy move del ren start call edit nice tree';

export const PROGRAMS: ReadonlySet<string> = new Set(NAMES.split(' '));
export const WORD_PROGRAMS: ReadonlySet<string> = new Set(WORDS.split(' '));
/** Commands that take the next word as a command. */
export const PREFIXES: ReadonlySet<string> = new Set(
  'sudo nohup time timeout env exec command builtin busybox nice ionice stdbuf xargs setsid watch if while then do else ! @'.split(
    ' ',
  ),
);
/** What only somebody who explores a machine sends. */
export const PROBES: ReadonlySet<string> = new Set(
  'whoami ifconfig ipconfig netstat systeminfo uname printenv tasklist lastlog nproc lsb_release'.split(' '),
);
