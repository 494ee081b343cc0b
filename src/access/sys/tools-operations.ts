import { createHash, randomBytes } from 'node:crypto';
import { Base64Reader } from '../../lib/base64-reader.ts';
import { AppError } from '../../lib/errors.ts';
import { LongText } from '../../lib/long-json/long-text.ts';
import { yieldIfDue } from '../../lib/slices.ts';
import { answersData } from '../operation/answer.ts';
import { described, integer, longText, parseFields, text } from '../operation/fields.ts';
import type { OpenCall, Operation, Reply } from '../operation/operation.ts';
import { component, text as shownText } from '../operation/schema.ts';

/** @limit random bytes in one response, bytes -> 400 */
const MAX_RANDOM_BYTES = 128 * 1024;

const RANDOM_FIELDS = described(
  { bytes: integer(32), format: text('base64'), source: text('platform') },
  { bytes: 'Number of bytes.', format: 'hex or base64.', source: 'platform, seal or all. All use the same source.' },
);
const HASH_FIELDS = described(
  { input: longText(), algorithm: text('sha2-256'), format: text('hex') },
  {
    input: 'The bytes, base64-encoded.',
    algorithm: 'Hash algorithm, such as sha2-256 or sha3-512.',
    format: 'hex or base64.',
  },
);

const RandomBytes = component('RandomBytes', { random_bytes: shownText('The bytes in the requested format.') });
const HashSum = component('HashSum', { sum: shownText('The hash in the requested format.') });

/** OpenSSL names by the names that clients send. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ...[224, 256, 384, 512].map((bits) => [`sha2-${bits}`, `sha${bits}`] as const),
  ...[224, 256, 384, 512].map((bits) => [`sha3-${bits}`, `sha3-${bits}`] as const),
]);
/** Accepted names of sources. All use the operating system's random generator. */
const SOURCES: ReadonlySet<string> = new Set(['platform', 'seal', 'all']);
const NO_SEAL = 'no seal/entropy augmentation available, using platform entropy source';

const refused = (message: string): AppError => new AppError('bad-request', message);

/** Operations `tools/random` and `tools/hash` below `sys`. */
export function toolsOperations(): readonly Operation[] {
  const random = {
    verb: 'update',
    summary: 'Generate random bytes',
    answers: answersData(RandomBytes),
    parameters: { source: 'Source of the bytes, or their number.', bytes: 'Number of bytes.' },
    fields: RANDOM_FIELDS,
    handle: randomReply,
  } as const;
  const hash = {
    verb: 'update',
    summary: 'Hash bytes',
    answers: answersData(HashSum),
    parameters: { algorithm: 'Hash algorithm, such as sha2-256 or sha3-512.' },
    fields: HASH_FIELDS,
    longTexts: true,
    handle: hashReply,
  } as const;
  return [
    { ...random, id: 'generate-random', path: 'tools/random' },
    { ...random, id: 'generate-random-with-source', path: 'tools/random/:source' },
    { ...random, id: 'generate-random-with-source-and-bytes', path: 'tools/random/:source/:bytes' },
    { ...hash, id: 'generate-hash', path: 'tools/hash' },
    { ...hash, id: 'generate-hash-with-algorithm', path: 'tools/hash/:algorithm' },
  ];
}

async function randomReply(call: OpenCall): Promise<Reply> {
  const { format = 'base64' } = parseFields(RANDOM_FIELDS, call.data).values;
  const { source, bytes } = randomRequest(call);
  if (bytes < 1) throw refused("'bytes' cannot be less than 1");
  if (bytes > MAX_RANDOM_BYTES) throw refused(`'bytes' cannot be more than ${MAX_RANDOM_BYTES}`);
  const encoding = encodingOf(format);
  if (!SOURCES.has(source)) throw refused('unsupported entropy source; must be "platform" or "seal", or "all"');
  return {
    data: { random_bytes: randomBytes(bytes).toString(encoding) },
    ...(source === 'seal' && { warnings: [NO_SEAL] }),
  };
}

/** Reads source and number of bytes. The path takes precedence over the body; a single segment may be either. */
function randomRequest({ params, data }: OpenCall): { source: string; bytes: number } {
  const { bytes = 32, source = 'platform' } = parseFields(RANDOM_FIELDS, data).values;
  if (params.source === undefined) return { source: source || 'platform', bytes };
  if (params.bytes !== undefined) return { source: params.source, bytes: countOf(params.bytes) };
  return SOURCES.has(params.source)
    ? { source: params.source, bytes }
    : { source: 'platform', bytes: countOf(params.source) };
}

function countOf(part: string): number {
  if (!/^-?\d{1,9}$/.test(part)) throw refused('error parsing url-set byte count: expected a whole number');
  return Number(part);
}

/** Hashes the input in pieces, because it may be as long as a body. */
async function hashReply({ params, data }: OpenCall): Promise<Reply> {
  const {
    input = LongText.fromString(''),
    algorithm = 'sha2-256',
    format = 'hex',
  } = parseFields(HASH_FIELDS, data).values;
  const encoding = encodingOf(format);
  const name = ALGORITHMS.get(params.algorithm ?? algorithm);
  if (name === undefined) throw refused(`unsupported algorithm; must be one of ${[...ALGORITHMS.keys()].join(', ')}`);
  const hash = createHash(name);
  const reader = new Base64Reader();
  for (const piece of input.pieces) {
    hash.update(decoded(reader.write(piece)));
    await yieldIfDue();
  }
  hash.update(decoded(reader.end()));
  return { data: { sum: hash.digest(encoding) } };
}

function decoded(bytes: Buffer | undefined): Buffer {
  if (!bytes) throw refused('unable to decode input as base64');
  return bytes;
}

function encodingOf(format: string): 'hex' | 'base64' {
  if (format === 'hex' || format === 'base64') return format;
  throw refused('unsupported encoding format; must be "hex" or "base64"');
}
