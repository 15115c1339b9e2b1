// Words that may stand for something where generated text is compiled, in the order of the
// alphabet: keywords and alternative tokens of C, C++ and CUDA up to their latest standards, names
// of the global scope and macros of the standard library, of POSIX as the standard headers show it
// and of CUDA's runtime, base names of system headers (NAME.h must not hide them), and what
// generated text itself has at global scope. Families of names are rules in identifier.cpp and not
// listed here. A test compares the list with the headers of the machine.
#include "compile/identifier.hpp"

namespace limber {

std::string_view taken_words() {
  return R"(
a64l abort abs access acct acos acosh acospi aio alarm alignas aligned_alloc alignof all alloca
and and_eq any arc4random arc4random_buf arc4random_uniform argp argz asctime asctime_r asin asinh
asinpi asm asprintf assert assert_perror at_quick_exit atan atan2 atan2pi atanh atanpi atexit atof
atoi atol auto ballot basename bcmp bcopy be16toh be32toh be64toh bfloat16 bind_textdomain_codeset
bindtextdomain bitand bitor blockDim blockIdx bool break brk bsearch btowc builtin_types byteswap
bzero c16rtomb c32rtomb c8rtomb call call_once calloc canonicalize canonicalize_file_name case
catch cbrt ceil channel_descriptor char char1 char2 char3 char4 chdir check chown chroot ckd_add
ckd_mul ckd_sub class clearenv clearerr clearerr_unlocked clock clock64 clone close close_range
closefrom cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait co_await co_return
co_yield common_functions compl complex compoundn concept confstr conio const const_cast consteval
constexpr constinit continue contract_assert copy_file_range copysign cos cosh cospi count cpio
crt crypt ctermid ctime ctime_r ctype curses cuserid cyl_bessel_i0 cyl_bessel_i1 dadd daemon
daylight dcgettext dcngettext ddivl decltype default delete detail device_functions device_types
dfmal dgettext difftime dim3 direct dirent div dlfcn dmul dngettext do double double1 double2
double2int double2ll double2uint double2ull double3 double4 double4_16a double4_32a dprintf
drand48 drand48_data drand48_r drem driver_types dsqrtl dsub dup dup2 dup3 duplocale dynamic_cast
dysize E2BIG eaccess ecvt ecvt_r EL2HLT EL2NSYNC EL3HLT EL3RST elf else endian endusershell enum
environ envz erand48 erand48_r erf erfc erfcinv erfcx erfinv err errno error euidaccess example
example_lanes execinfo execl execle execlp execv execve execveat execvp execvpe exit exp exp10
exp10m1 exp2 exp2m1 explicit explicit_bzero expm1 export extern f32addf128 f32addf32x f32addf64
f32addf64x f32divf128 f32divf32x f32divf64 f32divf64x f32fmaf128 f32fmaf32x f32fmaf64 f32fmaf64x
f32mulf128 f32mulf32x f32mulf64 f32mulf64x f32sqrtf128 f32sqrtf32x f32sqrtf64 f32sqrtf64x
f32subf128 f32subf32x f32subf64 f32subf64x f32xaddf128 f32xaddf64 f32xaddf64x f32xdivf128
f32xdivf64 f32xdivf64x f32xfmaf128 f32xfmaf64 f32xfmaf64x f32xmulf128 f32xmulf64 f32xmulf64x
f32xsqrtf128 f32xsqrtf64 f32xsqrtf64x f32xsubf128 f32xsubf64 f32xsubf64x f64addf128 f64addf64x
f64divf128 f64divf64x f64fmaf128 f64fmaf64x f64mulf128 f64mulf64x f64sqrtf128 f64sqrtf64x
f64subf128 f64subf64x f64xaddf128 f64xdivf128 f64xfmaf128 f64xmulf128 f64xsqrtf128 f64xsubf128
fabs faccessat fadd false far fchdir fchown fchownat fclose fcloseall fcntl fcvt fcvt_r fd_mask
fd_set fdatasync fdim fdiv fdivide fdopen features feclearexcept fedisableexcept feenableexcept
fegetenv fegetexcept fegetexceptflag fegetmode fegetround feholdexcept fenv feof feof_unlocked
feraiseexcept ferror ferror_unlocked fesetenv fesetexcept fesetexceptflag fesetmode fesetround
fetestexcept fetestexceptflag feupdateenv fexecve fflush fflush_unlocked ffma ffs ffsll fgetc
fgetc_unlocked fgetpos fgetpos64 fgets fgets_unlocked fgetwc fgetwc_unlocked fgetws
fgetws_unlocked fileno fileno_unlocked final finite float float1 float2 float2double float3 float4
flockfile floor fma fmax fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num fmaxmag fmemopen fmin
fminimum fminimum_mag fminimum_mag_num fminimum_num fminmag fmod fmtmsg fmul fnmatch fopen fopen64
fopencookie for fork fortran fpathconf fpclassify fprintf fputc fputc_unlocked fputs
fputs_unlocked fputwc fputwc_unlocked fputws fputws_unlocked fread fread_unlocked free
free_aligned_sized free_sized freelocale freopen freopen64 frexp friend fromfp fromfpx fscanf
fseek fseeko fseeko64 fsetpos fsetpos64 fsqrt fstab fsub fsync ftell ftello ftello64 ftruncate
ftruncate64 ftrylockfile fts ftw funlockfile fwide fwprintf fwrite fwrite_unlocked fwscanf gamma
gcvt get_current_dir_name getc getc_unlocked getchar getchar_unlocked getcpu getcwd getdate
getdate_err getdate_r getdelim getdomainname getdtablesize getegid getentropy getenv geteuid
getgid getgroups gethostid gethostname getline getloadavg getlogin getlogin_r getopt getpagesize
getpass getpayload getpgid getpgrp getpid getppid getpt getresgid getresuid getsid getsubopt
gettext gettid getuid getusershell getw getwc getwc_unlocked getwchar getwchar_unlocked getwd glob
gmtime gmtime_r goto grantpt gridDim group_member grp gsignal half host_config host_defines
htobe16 htobe32 htobe64 htole16 htole32 htole64 huge hypot i386 iconv if ifaddrs ilogb imaginary
imaxabs imaxdiv immintrin import index initstate initstate_r inline int int1 int2 int2double int3
int4 interface inttypes io isalnum isalnum_l isalpha isalpha_l isascii isascii_l isatty isblank
isblank_l iscanonical iscntrl iscntrl_l isctype isdigit isdigit_l iseqsig isfinite isgraph
isgraph_l isgreater isgreaterequal isinf isless islessequal islessgreater islower islower_l isnan
isnormal iso646 isprint isprint_l ispunct ispunct_l issignaling isspace isspace_l issubnormal
isunordered isupper isupper_l iswalnum iswalnum_l iswalpha iswalpha_l iswblank iswblank_l iswcntrl
iswcntrl_l iswctype iswctype_l iswdigit iswdigit_l iswgraph iswgraph_l iswlower iswlower_l
iswprint iswprint_l iswpunct iswpunct_l iswspace iswspace_l iswupper iswupper_l iswxdigit
iswxdigit_l isxdigit isxdigit_l iszero itimerspec j0 j1 jmp_buf jn jrand48 jrand48_r kill killpg
l64a L_ctermid L_cuserid L_tmpnam labs lanes langinfo lastlog lchown lcong48 lcong48_r lconv ldexp
ldiv le16toh le32toh le64toh lerp lgamma lgamma_r libgen libintl library_types libraryPropertyType
limits link linkat linux ll2double llabs lldiv llmax llmin llogb llrint llround locale localeconv
localtime localtime_r lockf lockf64 log log10 log10p1 log1p log2 log2p1 logb logp1 long long1
long2 long3 long4 long4_16a long4_32a longjmp longlong1 longlong2 longlong3 longlong4
longlong4_16a longlong4_32a lrand48 lrand48_r lrint lround lseek lseek64 main malloc math
math_constants math_errhandling math_functions max mblen mbrlen mbrtoc16 mbrtoc32 mbrtoc8 mbrtowc
mbsinit mbsnrtowcs mbsrtowcs mbstowcs mbtowc memalignment memccpy memchr memcmp memcpy memfrob
memmem memmove memory mempcpy memrchr memset memset_explicit min mkdtemp mkostemp mkostemp64
mkostemps mkostemps64 mkstemp mkstemp64 mkstemps mkstemps64 mktemp mktime mntent modf module
monetary mqueue mrand48 mrand48_r mtx_destroy mtx_init mtx_lock mtx_plain mtx_recursive mtx_timed
mtx_timedlock mtx_trylock mtx_unlock mutable namespace nan nanosleep ndbm near nearbyint netdb new
newlocale nextafter nextdown nexttoward nextup ngettext nice nl_types noexcept noreturn norm
norm3d norm4d normcdf normcdfinv not not_eq nrand48 nrand48_r nullptr obstack obstack_printf
obstack_vprintf offsetof omp on_device on_exit once_flag open_memstream open_wmemstream operator
optarg opterr optind optopt or or_eq override P_tmpdir pack pack_sincos pathconf paths pause
pclose perror pipe pipe2 pixel poll popen posix post pow pown powr pre pread pread64 print private
process profil program_invocation_name program_invocation_short_name protected pselect psiginfo
psignal pthread ptsname ptsname_r pty public putc putc_unlocked putchar putchar_unlocked putenv
puts putw putwc putwc_unlocked putwchar putwchar_unlocked pwd pwrite pwrite64 qecvt qecvt_r qfcvt
qfcvt_r qgcvt qsort qsort_r quadmath quick_exit raise rand rand_r random random_data random_r
rawmemchr rcbrt read readlink readlinkat realloc reallocarray realpath reflexpr regex regexp
register reinterpret_cast remainder remove remquo rename renameat renameat2 repeated requires
resolv restrict return revoke rewind rhypot rindex rint rmdir rnorm rnorm3d rnorm4d rootn round
roundeven rpmatch rsqrt sa_handler sa_sigaction sbrk scalb scalbln scalbn scanf sched search
secure_getenv seed48 seed48_r select semaphore setbuf setbuffer setdomainname setegid setenv
seteuid setgid sethostid sethostname setjmp setlinebuf setlocale setlogin setns setpayload
setpayloadsig setpgid setpgrp setregid setresgid setresuid setreuid setsid setstate setstate_r
setuid setusershell setvbuf shadow short short1 short2 short3 short4 si_addr si_addr_lsb si_arch
si_band si_call_addr si_fd si_int si_lower si_overrun si_pid si_pkey si_ptr si_status si_stime
si_syscall si_timerid si_uid si_upper si_utime si_value sigabbrev_np sigaction sigaddset
sigaltstack sigandset sigblock sigcontext sigdelset sigdescr_np sigemptyset
sigev_notify_attributes sigev_notify_function sigevent sigfillset siggetmask sighold sigignore
siginterrupt sigisemptyset sigismember sigjmp_buf siglongjmp sigmask signal signbit signed signgam
significand sigorset sigpause sigpending sigprocmask sigqueue sigrelse sigreturn sigset sigsetjmp
sigsetmask sigstack sigsuspend sigtimedwait SIGUSR1 SIGUSR2 sigval sigwait sigwaitinfo sin sincos
sincospi sinh sinpi sizeof sleep small SNANF128 SNANF32 SNANF32X SNANF64 SNANF64X snprintf spawn
sprintf sqrt srand srand48 srand48_r srandom srandom_r sscanf ssignal stab static static_assert
static_cast std std2 stdalign stdarg stdatomic stdbit stdbool stdckdint stddef stderr stdfix stdin
stdint stdio stdlib stdnoreturn stdout stpcpy stpncpy strcasecmp strcasecmp_l strcasestr strcat
strchr strchrnul strcmp strcoll strcoll_l strcpy strcspn strdup strdupa stream_of strerror
strerror_l strerror_r strerrordesc_np strerrorname_np strfmon strfmon_l strfromd strfromf
strfromf128 strfromf32 strfromf32x strfromf64 strfromf64x strfroml strfry strftime strftime_l
string strings strlcat strlcpy strlen strncasecmp strncasecmp_l strncat strncmp strncpy strndup
strndupa strnlen strpbrk strptime strptime_l strrchr strsep strsignal strspn strstr strtod
strtod_l strtof strtof128 strtof128_l strtof32 strtof32_l strtof32x strtof32x_l strtof64
strtof64_l strtof64x strtof64x_l strtof_l strtoimax strtok strtok_r strtol strtol_l strtold
strtold_l strtoq strtoul strtoul_l strtoumax strtouq struct strverscmp strxfrm strxfrm_l sun
surface_types swab switch swprintf swscanf symlink symlinkat sync syncfs synchronized
syncthreads_and syncthreads_count syncthreads_or syscall sysconf sysexits syslog system
sysv_signal tan tanh tanpi tar tcgetpgrp tcsetpgrp template tempnam term termio termios textdomain
texture_types tgamma tgkill tgmath this thrd_busy thrd_create thrd_current thrd_detach thrd_equal
thrd_error thrd_exit thrd_join thrd_nomem thrd_sleep thrd_success thrd_timedout thrd_yield
thread_local threadIdx threads throw time timegm timelocal timespec timespec_get timespec_getres
timeval timex timezone tm tmpfile tmpfile64 tmpnam tmpnam_r toascii toascii_l tolower tolower_l
totalorder totalordermag toupper toupper_l towctrans towctrans_l towlower towlower_l towupper
towupper_l true trunc truncate truncate64 try tss_create tss_delete tss_get tss_set ttyname
ttyname_r ttyslot typedef typeid typename typeof typeof_unqual tzname tzset u_char u_int u_long
u_short ualarm uchar uchar1 uchar2 uchar3 uchar4 ucontext ufromfp ufromfpx uint uint1 uint2
uint2double uint3 uint4 ulimit ull2double ullmax ullmin ulong ulong1 ulong2 ulong3 ulong4
ulong4_16a ulong4_32a ulonglong1 ulonglong2 ulonglong3 ulonglong4 ulonglong4_16a ulonglong4_32a
umax umin ungetc ungetwc union unistd unix unlink unlinkat unlockpt unreachable unsetenv unshare
unsigned unwind uselocale ushort ushort1 ushort2 ushort3 ushort4 using usleep utime utmp utmpx
va_arg va_copy va_end va_list va_start valloc values varargs vasprintf vdprintf vector
vector_functions vector_types version vfork vfprintf vfscanf vfwprintf vfwscanf vhangup virtual
void volatile vprintf vscanf vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf vwscanf wait
warpSize wchar wcpcpy wcpncpy wcrtomb wcscasecmp wcscasecmp_l wcscat wcschr wcschrnul wcscmp
wcscoll wcscoll_l wcscpy wcscspn wcsdup wcsftime wcsftime_l wcslcat wcslcpy wcslen wcsncasecmp
wcsncasecmp_l wcsncat wcsncmp wcsncpy wcsnlen wcsnrtombs wcspbrk wcsrchr wcsrtombs wcsspn wcsstr
wcstod wcstod_l wcstof wcstof128 wcstof128_l wcstof32 wcstof32_l wcstof32x wcstof32x_l wcstof64
wcstof64_l wcstof64x wcstof64x_l wcstof_l wcstoimax wcstok wcstol wcstol_l wcstold wcstold_l
wcstombs wcstoq wcstoul wcstoul_l wcstoumax wcstouq wcswcs wcswidth wcsxfrm wcsxfrm_l wctob wctomb
wctrans wctrans_l wctype wctype_l wcwidth while windows winsock wmemchr wmemcmp wmemcpy wmemmove
wmempcpy wmemset wordexp wprintf write wscanf xor xor_eq y0 y1 yn
)";
}

}  // namespace limber
