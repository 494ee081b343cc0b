import { describe, expect, it } from 'vitest';
import { failureOf, failureText, isMissing, isTaken, knowsNoCondition, storeUnavailable } from './errors.ts';
import { ours, parseUploadName, readPosition, uploadName, writePosition } from './listing.ts';

const answered = (name: string, status: number, more = {}) =>
  Object.assign(new Error(`of ${name}, with AKIA-SECRET`), { name, $metadata: { httpStatusCode: status }, ...more });

describe('an error of a store', () => {
  it.each([
    [answered('NoSuchKey', 404), 'NoSuchKey, status 404'],
    [answered('S3ServiceException', 403, { Code: 'InvalidAccessKeyId' }), 'InvalidAccessKeyId, status 403'],
    [Object.assign(new Error('connect 10.0.0.1'), { code: 'ECONNREFUSED' }), 'no answer: ECONNREFUSED'],
    [Object.assign(new Error('too late'), { name: 'TimeoutError' }), 'no answer: TimeoutError'],
    [answered('AKIA-SECRET is not known', 403), 'unknown, status 403'],
    [new Error('connect'), 'no answer: unknown'],
    [undefined, 'no answer: unknown'],
  ])('is reduced to a code: %s', (error, text) => expect(failureText(failureOf(error))).toBe(text));

  it('is for the log only, and contains no credential', () => {
    const { kind, message, cause } = storeUnavailable(answered('InvalidAccessKeyId', 403));
    expect([kind, message]).toEqual(['unavailable', expect.stringMatching(/^The blob store is not/)]);
    expect(String(cause)).toBe('Error: the S3 store: InvalidAccessKeyId, status 403');
  });

  it('distinguishes a missing object from a missing bucket', () => {
    const missing = (name: string, status: number) => isMissing(failureOf(answered(name, status)));
    expect([missing('NoSuchKey', 404), missing('NotFound', 404), missing('NoSuchUpload', 404)]).toEqual(
      Array(3).fill(true),
    );
    expect([missing('NoSuchBucket', 404), missing('AccessDenied', 403)]).toEqual([false, false]);
  });

  it('shows whether conditional requests are supported', () => {
    const failure = (status: number) => failureOf(answered('NotImplemented', status));
    expect([501, 400, 412, 500].map((status) => knowsNoCondition(failure(status)))).toEqual([true, true, false, false]);
    expect([501, 412].map((status) => isTaken(failure(status)))).toEqual([false, true]);
  });
});

describe('a listing', () => {
  const name = '0123456789abcdef0123456789abcdef';
  const at = new Date(1000);

  it('lists names of this server below the prefix', () => {
    const foreign = ['', 'a/', `b/${name}`, `a/b/${name}`, 'a/readme.txt', `a/${name}0`].map((key) => ({ key, at }));
    const entries = [
      { key: `a/${name}`, at },
      { key: `a/${name}`, at, upload: 'x.upload.y' },
      { key: `a/probe-${name}`, at },
      { key: `a/${name}`, at: undefined },
      { key: undefined, at },
    ];
    expect(ours('a/', [...foreign, ...entries])).toEqual([
      { name, modifiedAt: 1000 },
      { name: `${name}.upload.x.upload.y`, modifiedAt: 1000 },
      { name: `probe-${name}`, modifiedAt: 1000 },
    ]);
  });

  it('names incomplete uploads so that they are found again', () => {
    expect(parseUploadName(uploadName(name, 'x.upload.y'))).toEqual({ name, id: 'x.upload.y' });
    expect(parseUploadName(name)).toBeUndefined();
  });

  it('continues where the last page ended', () => {
    expect(readPosition(undefined)).toEqual({ of: 'objects' });
    for (const position of [
      { of: 'objects', after: 'a/b' },
      { of: 'uploads', key: 'k', id: '+/=' },
    ] as const)
      expect(readPosition(writePosition(position))).toEqual(position);
  });
});
