import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * This Debian as if nobody had used it: its systemd, Postgres and nginx, on a layer of its own over the disk, with
 * processes, ports and a loopback network of its own. All that is written goes with it.
 */
export type Machine = {
  /** Runs a script by bash as root, ended by its first fault; `online` on the network of the machine below. */
  run(script: string, options?: { online?: boolean; cwd?: string }): string;
  remove(): Promise<void>;
};

const SYSTEMD = '/lib/systemd/systemd';
const PROGRAMS = [
  SYSTEMD,
  '/bin/ip',
  '/usr/bin/pg_createcluster',
  '/usr/sbin/nginx',
  '/usr/sbin/adduser',
];
const NAMESPACES = ['--mount', '--pid', '--ipc', '--uts', '--cgroup', '--net'];

/** Why there can be no such machine here; null when there can. */
export function machineFault(): string | null {
  if (process.getuid?.() !== 0) return 'it takes root';
  const missing = PROGRAMS.filter((program) => !existsSync(program));
  if (missing.length > 0) return `there is no ${missing.join(', ')}`;
  const { status, stderr } = spawnSync(
    'unshare',
    [...NAMESPACES, '--fork', 'mount', '-t', 'cgroup2', 'cgroup2', '/sys/fs/cgroup'],
    { encoding: 'utf8' },
  );
  return status === 0 ? null : `namespaces are refused: ${stderr.trim()}`;
}

/**
 * What is mounted before systemd starts. The first steps of a real boot look after disks, devices, clock and kernel,
 * which are those of the machine below: they are left out. pivot_root, because the kernel grants a chroot no user
 * namespaces, and the units ask for one.
 */
const bootScript = (folder: string) => `
set -e
root=${folder}/root
mount -t tmpfs none ${folder}
mkdir ${folder}/upper ${folder}/work $root
mount -t overlay overlay -o lowerdir=/,upperdir=${folder}/upper,workdir=${folder}/work $root
mount --bind -o ro ${resolve('.')} $root${resolve('.')}
rm -rf $root/etc/vitrine $root/opt/vitrine $root/var/lib/vitrine $root/etc/nginx/conf.d/*
rm -rf $root/lib/systemd/system/sysinit.target.wants $root/etc/systemd/system/*.wants
for name in sysinit basic; do
  printf '[Unit]\\nDefaultDependencies=no\\nWants=systemd-journald.service systemd-journald.socket\\n' \
    > $root/etc/systemd/system/$name.target
done
mount -t proc proc $root/proc
mount --bind $root/proc/sys $root/proc/sys
mount -o remount,ro,bind $root/proc/sys
mount -t tmpfs -o mode=755 none $root/dev
for name in null zero full random urandom tty; do cp -a /dev/$name $root/dev/; done
mkdir $root/dev/pts $root/dev/shm
mount -t devpts devpts $root/dev/pts -o newinstance,ptmxmode=0666
ln -s pts/ptmx $root/dev/ptmx
mount -t tmpfs none $root/dev/shm
mount -t tmpfs -o mode=755 none $root/run
mount -t sysfs -o ro sysfs $root/sys
mount -t cgroup2 cgroup2 $root/sys/fs/cgroup
ip link set lo up
cd $root
mkdir -p mnt/below
pivot_root . mnt/below
umount -l mnt/below
exec env -i container=vitrine PATH=/usr/sbin:/usr/bin:/sbin:/bin ${SYSTEMD} --unit=basic.target`;

/** Starts one. */
export async function startMachine(): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-machine-'));
  const args = ['unshare', ...NAMESPACES, '--fork', '--kill-child', 'bash', '-c'];
  const child = spawn('setpriv', ['--pdeathsig=KILL', ...args, bootScript(folder)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr?.on('data', (chunk) => {
    words += chunk;
  });
  const remove = async () => {
    await end(child);
    rmSync(folder, { recursive: true });
  };
  const enter = (script: string, { online = false, cwd = '/root' } = {}) => {
    const target = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
    const spaces = NAMESPACES.filter((name) => name !== '--net' || !online);
    const into = ['--target', target, ...spaces, '--root', `--wdns=${cwd}`];
    // Node's pipes are sockets, on which bash takes itself for a remote shell and reads .bashrc.
    return spawnSync('nsenter', [...into, '--', 'bash', '--norc', '-ec', script], {
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
      env: {
        PATH: '/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        LANG: 'C.UTF-8',
      },
    });
  };
  const deadline = Date.now() + 30_000;
  while (enter('systemctl is-system-running').status !== 0) {
    if (child.exitCode === null && Date.now() < deadline) continue;
    await remove();
    throw new Error(`systemd did not start: ${words}`);
  }
  return {
    run(script, options) {
      const { status, stdout, stderr } = enter(script, options);
      if (status !== 0)
        throw new Error(`${script.trim()}\nended with ${status}:\n${stdout}${stderr}`);
      return stdout;
    },
    remove,
  };
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  child.kill('SIGKILL');
  return ended;
}
