import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isOurs, placesOf, takeFolder } from './places.ts';
import { unpack } from './unpack.ts';

const uid = process.geteuid?.() ?? 0;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-unpack-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the folder for unpacked files', () => {
  test("is the service's own folder, else the user's cache, else a temporary folder", () => {
    const folders = (env: NodeJS.ProcessEnv) => placesOf(env, 7, ['/home/ada', '/tmp']).map((place) => place.folder);
    expect(folders({})).toEqual(['/home/ada/.cache/lockkeeper', '/tmp/lockkeeper-7']);
    expect(folders({ CACHE_DIRECTORY: '/var/cache/a:/var/cache/b', XDG_CACHE_HOME: '/x' })).toEqual([
      ...['/var/cache/a', '/x/lockkeeper', '/home/ada/.cache/lockkeeper', '/tmp/lockkeeper-7'],
    ]);
    expect(placesOf({}, 7, [undefined, '/tmp'])).toEqual([{ base: '/tmp', folder: '/tmp/lockkeeper-7' }]);
  });

  test('is created for this user only', () => {
    const made = takeFolder({ base: folder, folder: join(folder, 'a/b') }, uid);
    expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  test('may be in a folder where users can change only their own files', () => {
    const base = join(folder, 'tmp');
    mkdirSync(base);
    chmodSync(base, 0o1777);
    expect(takeFolder({ base, folder: join(base, 'a') }, uid)).toBe(join(base, 'a'));
  });

  test('is never where other users can write', () => {
    const base = join(folder, 'open');
    mkdirSync(base);
    chmodSync(base, 0o777);
    expect(() => takeFolder({ base, folder: join(base, 'a') }, uid)).toThrow('can be changed by other users');
    chmodSync(base, 0o1777);
    mkdirSync(join(base, 'a'));
    chmodSync(join(base, 'a'), 0o770);
    expect(() => takeFolder({ base, folder: join(base, 'a') }, uid)).toThrow('can be changed by other users');
  });

  test('is never a folder of another user', () => {
    const base = join(folder, 'tmp');
    mkdirSync(base);
    chmodSync(base, 0o1777);
    symlinkSync(folder, join(base, 'link'));
    expect(() => takeFolder({ base, folder: join(base, 'link') }, uid)).toThrow('can be changed by other users');
    // A folder of this user belongs to a stranger from the view of another user.
    mkdirSync(join(base, 'a'), { mode: 0o700 });
    expect(isOurs(join(base, 'a'), uid)).toBe(true);
    expect(() => takeFolder({ base, folder: join(base, 'a') }, uid + 1)).toThrow('can be changed by other users');
    expect(() => takeFolder({ base: folder, folder: join(folder, 'c') }, uid + 1)).toThrow(
      'can be changed by other users',
    );
  });
});

describe('an unpacked file', () => {
  const contents = new Map([
    ['package.json', Buffer.from('{}')],
    ['dist/main.js', Buffer.from('one()')],
  ]);

  test('is written once and then kept', () => {
    unpack(contents, folder);
    expect(readFileSync(join(folder, 'dist/main.js'), 'utf8')).toBe('one()');
    const { ino } = statSync(join(folder, 'dist/main.js'));
    unpack(contents, folder);
    expect(statSync(join(folder, 'dist/main.js')).ino).toBe(ino);
    expect(readdirSync(join(folder, 'dist'))).toEqual(['main.js']);
  });

  test('is written again if it was deleted or is incomplete', () => {
    unpack(contents, folder);
    rmSync(join(folder, 'package.json'));
    writeFileSync(join(folder, 'dist/main.js'), 'on');
    unpack(contents, folder);
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('{}');
    expect(readFileSync(join(folder, 'dist/main.js'), 'utf8')).toBe('one()');
  });
});
