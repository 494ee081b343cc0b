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

describe('where it is unpacked', () => {
  test('is what a service has of its own, else what a user has, else a folder that is cleared at times', () => {
    const folders = (env: NodeJS.ProcessEnv) => placesOf(env, 7, ['/home/ada', '/tmp']).map((place) => place.folder);
    expect(folders({})).toEqual(['/home/ada/.cache/lockkeeper', '/tmp/lockkeeper-7']);
    expect(folders({ CACHE_DIRECTORY: '/var/cache/a:/var/cache/b', XDG_CACHE_HOME: '/x' })).toEqual([
      ...['/var/cache/a', '/x/lockkeeper', '/home/ada/.cache/lockkeeper', '/tmp/lockkeeper-7'],
    ]);
    expect(placesOf({}, 7, [undefined, '/tmp'])).toEqual([{ base: '/tmp', folder: '/tmp/lockkeeper-7' }]);
  });

  test('is made, for us alone', () => {
    const made = takeFolder({ base: folder, folder: join(folder, 'a/b') }, uid);
    expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  test('may lie where each may touch their own alone', () => {
    const base = join(folder, 'tmp');
    mkdirSync(base);
    chmodSync(base, 0o1777);
    expect(takeFolder({ base, folder: join(base, 'a') }, uid)).toBe(join(base, 'a'));
  });

  test('is never where others may write', () => {
    const base = join(folder, 'open');
    mkdirSync(base);
    chmodSync(base, 0o777);
    expect(() => takeFolder({ base, folder: join(base, 'a') }, uid)).toThrow('not ours alone');
    chmodSync(base, 0o1777);
    mkdirSync(join(base, 'a'));
    chmodSync(join(base, 'a'), 0o770);
    expect(() => takeFolder({ base, folder: join(base, 'a') }, uid)).toThrow('not ours alone');
  });

  test('is nothing that another has put there', () => {
    const base = join(folder, 'tmp');
    mkdirSync(base);
    chmodSync(base, 0o1777);
    symlinkSync(folder, join(base, 'link'));
    expect(() => takeFolder({ base, folder: join(base, 'link') }, uid)).toThrow('not ours alone');
    // What is ours is somebody else's to another user.
    mkdirSync(join(base, 'a'), { mode: 0o700 });
    expect(isOurs(join(base, 'a'), uid)).toBe(true);
    expect(() => takeFolder({ base, folder: join(base, 'a') }, uid + 1)).toThrow('not ours alone');
    expect(() => takeFolder({ base: folder, folder: join(folder, 'c') }, uid + 1)).toThrow('not ours alone');
  });
});

describe('what is unpacked', () => {
  const contents = new Map([
    ['package.json', Buffer.from('{}')],
    ['dist/main.js', Buffer.from('one()')],
  ]);

  test('is written once, and what is there stays', () => {
    unpack(contents, folder);
    expect(readFileSync(join(folder, 'dist/main.js'), 'utf8')).toBe('one()');
    const { ino } = statSync(join(folder, 'dist/main.js'));
    unpack(contents, folder);
    expect(statSync(join(folder, 'dist/main.js')).ino).toBe(ino);
    expect(readdirSync(join(folder, 'dist'))).toEqual(['main.js']);
  });

  test('is written again where it was cleared away, or ends too early', () => {
    unpack(contents, folder);
    rmSync(join(folder, 'package.json'));
    writeFileSync(join(folder, 'dist/main.js'), 'on');
    unpack(contents, folder);
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('{}');
    expect(readFileSync(join(folder, 'dist/main.js'), 'utf8')).toBe('one()');
  });
});
