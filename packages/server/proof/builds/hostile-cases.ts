/** Dockerfiles that try to get out, to stay, or to take more than they may; each with what must come of it. */

export interface HostileCase {
  readonly name: string
  /** Behind `FROM base`, unless it brings its own. */
  readonly lines: readonly string[]
  readonly end: 'failed' | 'built' | 'image-too-large' | 'any'
  /** Seconds within which it must be over. */
  readonly seconds?: number
  /** What its log has to show. */
  readonly shows?: RegExp
  /** Of the image, where it is less than for all others. */
  readonly imageMb?: number
  /** It is left out where no cgroup can be made; it is built without one; it is given a proxy. */
  readonly takes?: 'cgroup' | 'no-cgroup' | 'proxy'
}

const run = (command: string): string => `RUN ${command}`
const shows = (name: string, command: string): HostileCase => ({ name, lines: [run(`${command} || true`)], end: 'any' })
/** A request by hand: the static wget of the base image ends at its first look-up. */
const asks = (place: string, host = place.replace(/:.*/, ''), port = place.replace(/.*:/, '')): string =>
  `{ printf 'GET http://${place}/ HTTP/1.0\\r\\n\\r\\n'; sleep 2; } | nc -w 5 ${host} ${port}`
const fails = (name: string, ...lines: string[]): HostileCase => ({ name, lines, end: 'failed' })

/**
 * CANARY is the path of a file of the machine, PID a process of the machine, PORT a listener of the machine, LISTED an address
 * and port that the proxy of builds lets through.
 */
const READING: readonly HostileCase[] = [
  {
    name: 'CVE-2024-1753: a bind mount through a link to the root',
    lines: [
      'RUN ln -s / /link',
      'FROM base',
      'RUN --mount=type=bind,from=0,source=/link,target=/x,rw cat /xCANARY; ls /x /x/home /x/root; echo hurt >> /xCANARY',
    ],
    end: 'any',
  },
  {
    name: 'CVE-2024-1753: by the name of a stage',
    lines: [
      'RUN mkdir /a && ln -s /.. /a/up',
      'FROM base',
      'RUN --mount=type=bind,from=0,source=/a/up,target=/x,rw find /x -maxdepth 3 | head -500; cat /xCANARY; echo hurt >> /xCANARY',
    ],
    end: 'any',
  },
  {
    name: 'CVE-2024-9675: a cache mount that leaves its folder',
    lines: ['RUN --mount=type=cache,id=../../../../../../..,target=/x ls /x; cat /xCANARY; echo hurt >> /xCANARY'],
    end: 'any',
  },
  {
    name: 'CVE-2024-9675: a cache mount with a source that climbs',
    lines: [
      'RUN --mount=type=cache,id=a,source=../../../../../..,target=/x ls /x; cat /xCANARY; echo hurt >> /xCANARY',
    ],
    end: 'any',
  },
  shows('the file by its path', 'cat CANARY'),
  shows('the root of another process', 'cat /proc/1/rootCANARY /proc/self/rootCANARY'),
  shows('the root of the builder', 'for p in /proc/[0-9]*; do cat $p/rootCANARY $p/cwd/../../..CANARY; done'),
  shows('environments of all processes', 'cat /proc/*/environ | tr "\\\\0" "\\\\n"'),
  shows('command lines of all processes', 'cat /proc/*/cmdline | tr "\\\\0" " "'),
  shows('memory of a process of the machine', 'dd if=/proc/PID/mem bs=1 count=1'),
  shows('kernel memory', 'head -c 100 /dev/mem /dev/kmem /proc/kcore'),
  shows('the log of the kernel', 'dmesg; cat /dev/kmsg & sleep 1; kill $!'),
  shows('mounts of the machine', 'cat /proc/1/mountinfo'),
  shows('the context above', 'ls -la /context/..; cat /contextCANARY'),
  { name: 'a copy from above the context', lines: ['COPY ../../../../../../..CANARY /x', run('cat /x')], end: 'any' },
  { name: 'an absolute copy', lines: ['COPY CANARY /x', run('cat /x')], end: 'any' },
  { name: 'an add from above the context', lines: ['ADD ../../../../..CANARY /x', run('cat /x')], end: 'any' },
  {
    name: 'a secret that is not given',
    lines: ['RUN --mount=type=secret,id=x,required=true cat /run/secrets/x'],
    end: 'failed',
  },
  { name: 'a secret by a path', lines: ['RUN --mount=type=secret,id=x,src=CANARY cat /run/secrets/x'], end: 'any' },
  { name: 'an agent of keys', lines: ['RUN --mount=type=ssh ls -la /run'], end: 'any' },
  {
    name: 'a bind of the context upward',
    lines: ['RUN --mount=type=bind,source=../../..,target=/x,rw ls /x; cat /xCANARY'],
    end: 'any',
  },
  { name: 'a tmpfs over /proc', lines: ['RUN --mount=type=tmpfs,target=/proc ls /proc'], end: 'any' },
]

const CHANGING: readonly HostileCase[] = [
  shows('mount proc', 'mkdir /p; mount -t proc proc /p && cat /p/1/rootCANARY'),
  shows('mount the devices', 'mkdir /d; mount -t devtmpfs dev /d && ls /d'),
  shows('mount a disk', 'mknod /vda b 254 0; mkdir /v; mount /vda /v; dd if=/vda bs=512 count=1'),
  shows('bind a mount', 'mkdir /b; mount --bind / /b'),
  shows('mount again for writing', 'mount -o remount,rw /proc/sys; echo 1 > /proc/sys/kernel/core_pattern'),
  shows('cgroup release agent', 'mkdir /c; mount -t cgroup -o memory c /c && echo /x > /c/release_agent'),
  shows(
    'cgroup of the machine',
    'echo 1 > /sys/fs/cgroup/memory/memory.limit_in_bytes; mkdir /sys/fs/cgroup/pids/hostile',
  ),
  shows('core pattern', 'echo "|/bin/sh" > /proc/sys/kernel/core_pattern'),
  shows('sysrq', 'echo b > /proc/sysrq-trigger'),
  shows('a character device', 'mknod /k c 1 1 && cat /k'),
  shows('a new user namespace', 'unshare -U -r sh -c "id; mount -t tmpfs t /mnt"'),
  {
    name: 'user namespaces of a step',
    lines: [run('echo "namespaces $(cat /proc/sys/user/max_user_namespaces)"')],
    ...{ end: 'built', shows: /^namespaces 0$/m },
  },
  { name: 'the processes of a step', lines: [run('echo "I am $$"')], end: 'built', shows: /^I am 1$/m },
  shows('a new mount namespace', 'unshare -m true && mount -t tmpfs t /mnt && echo in'),
  shows('the namespaces of a process of the machine', 'nsenter -t PID -m -n cat CANARY'),
  shows('chroot twice', 'mkdir /r; chroot /r true; chroot ../../../../.. cat CANARY'),
  shows('a module of the kernel', 'insmod /x.ko; modprobe loop'),
  shows('the clock', 'date -s 2000-01-01'),
  shows('the name of the machine', 'hostname hostile'),
  shows('priorities', 'renice -20 1; ionice -c1 -p 1'),
  shows('file capabilities', 'cp /bin/busybox /cap; chmod 4755 /cap; /cap id'),
  shows('the root of the store', 'ls /w /w/store; rm -rf /w /context /bases /secrets'),
  shows('all that is in reach', 'rm -rf --no-preserve-root / 2>/dev/null'),
]

const KILLING: readonly HostileCase[] = [
  { name: 'kill every process', lines: [run('kill -9 -1')], end: 'any' },
  shows('kill the first process', 'kill -9 1'),
  shows('kill a process of the machine', 'kill -9 PID'),
  { name: 'a process that stays behind', lines: [run('sh -c "(setsid sleep 31337 &) ; true"')], end: 'built' },
  { name: 'stop every process', lines: [run('kill -STOP 1; kill -9 $$')], end: 'any' },
]

const REACHING: readonly HostileCase[] = [
  shows('a listener of the machine', asks('127.0.0.1:PORT')),
  shows('the address of clouds', asks('169.254.169.254:80')),
  shows('private addresses', 'for a in 10.0.0.1 172.17.0.1 192.168.0.1; do nc -w 1 $a 80; done'),
  shows('a name', 'nslookup example.com 192.0.2.1 2>&1; nc -w 3 example.com 80'),
  fails('an ADD from a listener of the machine', 'ADD http://127.0.0.1:PORT/x /x'),
  fails('an ADD from the address of clouds', 'ADD http://169.254.169.254/x /x'),
  fails('an ADD by git', 'ADD https://127.0.0.1:PORT/x.git /x'),
  fails('a base from a listener of the machine', 'FROM 127.0.0.1:PORT/x', run('true')),
  fails('a base that was not fetched', 'FROM debian:12', run('true')),
  shows('a socket of the machine', 'ls -la /run /var/run /tmp; for s in $(find / -xdev -type s); do echo $s; done'),
  shows('an abstract socket', 'cat /proc/net/unix'),
]

const TAKING: readonly HostileCase[] = [
  { name: 'processes without end', lines: [run('sh -c "b() { b | b & b; }; b"')], end: 'any', seconds: 40 },
  { name: 'one large file', lines: [run('dd if=/dev/zero of=/big bs=1M count=4096')], end: 'failed' },
  {
    name: 'many small files',
    lines: [run('i=0; while echo x > /f$i; do i=$((i+1)); done; exit 1')],
    end: 'failed',
    seconds: 40,
  },
  {
    name: 'memory by doubling',
    lines: [run('x=0123456789abcdef; while true; do x=$x$x; done')],
    end: 'failed',
    seconds: 40,
  },
  { name: 'memory in /dev/shm', lines: [run('dd if=/dev/zero of=/dev/shm/x bs=1M count=4096')], end: 'failed' },
  {
    name: 'a log without end',
    lines: [run('yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')],
    end: 'any',
    seconds: 15,
  },
  { name: 'sleep beyond its time', lines: [run('sleep 60')], end: 'any', seconds: 10 },
  {
    name: 'an image that is too large',
    lines: [run('head -c 9000000 /dev/urandom > /large')],
    ...{ end: 'image-too-large', imageMb: 4 },
  },
  {
    name: 'a spin that takes no signal',
    lines: [run('trap "" TERM INT HUP; while :; do :; done')],
    end: 'any',
    seconds: 10,
  },
  {
    name: 'a layer of holes',
    lines: [run('dd if=/dev/zero of=/hole bs=1 count=1 seek=100G')],
    end: 'any',
    seconds: 60,
  },
  {
    name: 'deep folders',
    lines: [run('i=0; while [ $i -lt 3000 ]; do mkdir d && cd d || break; i=$((i+1)); done')],
    end: 'any',
  },
  {
    name: 'control sequences in the log',
    lines: [run('printf "\\\\033]0;x\\\\007\\\\033[2J\\\\r\\\\0"')],
    end: 'built',
  },
]

const WRITING: readonly HostileCase[] = [
  fails('no Dockerfile at all', 'THIS IS NOT ONE'),
  fails('an instruction that there is not', 'FOO bar'),
  fails('a step that fails', run('exit 7')),
  // An image in the form of OCI has no SHELL: the instruction is left out, with a warning.
  { name: 'a shell that is not there', lines: ['SHELL ["/nowhere"]', run('true')], end: 'any' },
  { name: 'ONBUILD that mounts', lines: ['ONBUILD RUN --mount=type=bind,source=/,target=/x ls /x'], end: 'any' },
  { name: 'a user that there is not', lines: ['USER 4294967294', run('id')], end: 'any' },
  { name: 'an id out of the range', lines: [run('chown 99999999 /etc; chown 65535 /etc')], end: 'any' },
  { name: 'a volume over everything', lines: ['VOLUME /', run('ls /')], end: 'any' },
  { name: 'a label of a megabyte', lines: [`LABEL x="${'a'.repeat(1_000_000)}"`], end: 'any' },
  { name: 'many steps', lines: Array.from({ length: 60 }, (_, n) => `LABEL a${n}=b`), end: 'any', seconds: 60 },
  { name: 'a link in the context', lines: ['COPY . /all', run('cat /all/link')], end: 'any' },
]

/** Through the proxy, which is the way out of a sandbox where its operator lists some. */
const LISTING: readonly HostileCase[] = [
  {
    name: 'what is listed',
    lines: [run(asks('LISTED', '127.0.0.1', '3128'))],
    ...{ takes: 'proxy', end: 'built', shows: /what is listed\n/ },
  },
  {
    name: 'an ADD of what is listed',
    lines: ['ADD http://LISTED/x /x', run('cat /x')],
    ...{ takes: 'proxy', end: 'built', shows: /what is listed\n/ },
  },
  {
    name: 'a listener that is not listed',
    lines: [run(asks('127.0.0.1:PORT', '127.0.0.1', '3128'))],
    ...{ takes: 'proxy', end: 'any', shows: /127\.0\.0\.1:\d+: refused, it is not in the list/ },
  },
  {
    name: 'what is listed, beside the proxy',
    lines: [run('nc -w 5 HOST_LISTED PORT_LISTED </dev/null')],
    ...{ takes: 'proxy', end: 'failed' },
  },
  {
    name: 'an ADD of what is not listed',
    lines: ['ADD http://169.254.169.254/x /x'],
    ...{ takes: 'proxy', end: 'failed', shows: /169\.254\.169\.254: refused/ },
  },
  {
    name: 'a tunnel to what is not listed',
    lines: [run("printf 'CONNECT 10.0.0.1:22 HTTP/1.1\\r\\n\\r\\n' | nc -w 5 127.0.0.1 3128")],
    ...{ takes: 'proxy', end: 'any', shows: /10\.0\.0\.1:22: refused/ },
  },
]

const TOGETHER: readonly HostileCase[] = [
  {
    name: 'memory of six processes together',
    lines: [
      run(
        'p=; for i in 1 2 3 4 5 6; do dd if=/dev/zero of=/dev/null bs=250M count=2 & p="$p $!"; done; for i in $p; do wait $i || exit 1; done',
      ),
    ],
    ...{ takes: 'cgroup', end: 'failed', seconds: 40 },
  },
  {
    name: 'a file and memory together',
    lines: [run('dd if=/dev/zero of=/big bs=1M count=300 && dd if=/dev/zero of=/dev/null bs=850M count=1')],
    ...{ takes: 'cgroup', end: 'failed', seconds: 40 },
  },
]

export const HOSTILE_CASES: readonly HostileCase[] = [
  ...READING,
  ...CHANGING,
  ...KILLING,
  ...REACHING,
  ...LISTING,
  ...TAKING,
  ...TOGETHER,
  ...WRITING,
]
