import { describe, expect, it } from 'vitest';
import { answersNothing } from './answer.ts';
import { DONE, type Operation } from './operation.ts';
import { OperationRouter } from './operation-router.ts';

const operation = (verb: Operation['verb'], path: string): Operation => ({
  id: 'one',
  path,
  verb,
  summary: path,
  answers: answersNothing(),
  handle: async () => DONE,
});

const router = new OperationRouter([
  operation('list', 'certs'),
  operation('read', 'certs/:name'),
  operation('update', 'certs/:name'),
  operation('update', 'login'),
  operation('read', 'auth/*path'),
  operation('read', 'auth/*path/tune'),
  operation('read', 'mounts/auth/*path/tune'),
  operation('read', 'auth/:one/tune'),
  operation('read', 'lookup/self'),
  operation('read', 'lookup/:token'),
]);

const found = (path: string) => {
  const match = router.match(path);
  return match && [match.pattern, [...match.operations.keys()], match.params];
};

describe('an operation is found by its path', () => {
  it.each([
    ['certs', ['certs', ['list'], {}]],
    ['certs/web', ['certs/:name', ['read', 'update'], { name: 'web' }]],
    ['login', ['login', ['update'], {}]],
    ['auth/a/b/c', ['auth/*path', ['read'], { path: 'a/b/c' }]],
    ['auth/a/tune', ['auth/:one/tune', ['read'], { one: 'a' }]],
    ['auth/a/b/c/tune', ['auth/*path/tune', ['read'], { path: 'a/b/c' }]],
    ['auth/tune', ['auth/*path', ['read'], { path: 'tune' }]],
    ['auth/tune/tune/tune', ['auth/*path/tune', ['read'], { path: 'tune/tune' }]],
    ['auth/a/tune/b', ['auth/*path', ['read'], { path: 'a/tune/b' }]],
    ['mounts/auth/a/b/tune', ['mounts/auth/*path/tune', ['read'], { path: 'a/b' }]],
    ['lookup/self', ['lookup/self', ['read'], {}]],
    ['lookup/other', ['lookup/:token', ['read'], { token: 'other' }]],
  ])('%s', (path, expected) => {
    expect(found(path)).toEqual(expected);
  });

  it.each([
    '',
    'cert',
    'certs/web/more',
    'login/x',
    'auth',
    'mounts/auth/tune',
    'mounts/auth/a/b',
    'toString',
    '__proto__',
  ])('no operation is at "%s"', (path) => {
    expect(found(path)).toBeUndefined();
  });

  it('and can be declared only once', () => {
    expect(() => new OperationRouter([operation('read', 'a/:b'), operation('read', 'a/:b')])).toThrow('declared twice');
  });
});
