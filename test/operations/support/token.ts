import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LOCKED = fileURLToPath(new URL('pkcs11js', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/lockkeeper-pkcs11js', import.meta.url));
const SOFTHSM = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/lib64/pkcs11/libsofthsm2.so'];

/**
 * Installs `pkcs11js` as a user with a security module does. Its build needs the headers of Node.js, which come as a
 * package too.
 */
export function pkcs11js(): string {
  const folder = join(CACHE, 'node_modules');
  const program = join(folder, 'pkcs11js');
  if (existsSync(join(program, 'build/Release/pkcs11.node'))) return folder;
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(LOCKED, file), join(CACHE, file));
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: CACHE, stdio: 'ignore' });
  mkdirSync(join(program, 'build/Release'), { recursive: true });
  const flags = ['-O1', '-shared', '-fPIC', '-std=c++17', '-DNAPI_DISABLE_CPP_EXCEPTIONS'];
  const headers = ['-Iincludes', '-I../node-api-headers/include'];
  const sources = ['src/dl.cpp', 'src/common.cpp', 'src/main.cpp'];
  execFileSync('g++', [...flags, ...headers, ...sources, '-o', 'build/Release/pkcs11.node'], { cwd: program });
  return folder;
}

/** A SoftHSM token with keys, in its own folder. */
export class SoftToken {
  static readonly PIN = '0123456';
  readonly #folder = mkdtempSync(join(tmpdir(), 'lockkeeper-softhsm-'));
  readonly module = SOFTHSM.find(existsSync) ?? 'libsofthsm2.so';

  constructor(label: string) {
    writeFileSync(join(this.#folder, 'softhsm2.conf'), `directories.tokendir = ${this.#folder}\nlog.level = ERROR\n`);
    const made = ['--init-token', '--free', '--label', label, '--so-pin', '76543210', '--pin', SoftToken.PIN];
    this.#run('softhsm2-util', made);
  }

  get environment(): Record<string, string> {
    return { SOFTHSM2_CONF: join(this.#folder, 'softhsm2.conf') };
  }

  /** @param type `AES:32`, `rsa:2048` */
  makeKey(label: string, type: string): void {
    const login = ['--module', this.module, '--login', '--pin', SoftToken.PIN];
    const uses = type.startsWith('AES') ? ['--keygen', '--usage-wrap'] : ['--keypairgen', '--usage-decrypt'];
    this.#run('pkcs11-tool', [...login, ...uses, '--key-type', type, '--label', label]);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #run(program: string, args: readonly string[]): void {
    execFileSync(program, args, { env: { ...process.env, ...this.environment }, stdio: ['ignore', 'ignore', 'pipe'] });
  }
}
