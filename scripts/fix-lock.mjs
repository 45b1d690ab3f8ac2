// Completes package-lock.json after `npm install`: adds an entry for every optional platform package
// that the registry in use does not carry. `npm install` skips such packages, but `npm ci` then
// refuses the lock ("Missing … from lock file"). Run: node scripts/fix-lock.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'wasm32',
];

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const { packages } = lock;

/** The folder that Node would resolve `name` to from inside the package at `from`, if the lock has it. */
function resolved(from, name) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const folder = `${base ? `${base}/` : ''}node_modules/${name}`;
    if (packages[folder]) return folder;
    if (!base.includes('/node_modules/')) {
      return base && packages[`node_modules/${name}`] ? `node_modules/${name}` : undefined;
    }
  }
}

const added = [];
for (const [folder, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (resolved(folder, name) || !/^\d/.test(version)) continue;
    const words = name.split(/[/-]/);
    const os = SYSTEMS.filter((system) => words.includes(system));
    const cpu = PROCESSORS.filter((processor) => words.includes(processor));
    const stub = { version, optional: true };
    if (entry.dev) stub.dev = true;
    if (os.length > 0) stub.os = os;
    if (cpu.length > 0) stub.cpu = cpu;
    packages[`node_modules/${name}`] = stub;
    added.push(name);
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`package-lock.json: added ${added.length} platform entries\n`);
