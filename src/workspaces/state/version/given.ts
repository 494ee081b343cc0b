import { Base64Reader } from '../../../lib/base64-reader.ts';
import { LongText } from '../../../lib/long-json/long-text.ts';
import { yieldIfDue } from '../../../lib/slices.ts';
import type { Keyring, SealedColumn } from '../../../storage/index.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { inOne, listText, readList } from '../reader/json-texts.ts';
import type { Output } from '../reader/outputs.ts';
import { readGivenOutputs } from './given-outputs.ts';
import { MAX_OUTPUTS_TEXT } from './resource.ts';
import type { StateInput } from './schema.ts';

/** Content within a document: base64 (RFC 4648 §4), decoded chunk by chunk. */
export type GivenBytes = readonly Buffer[];

/**
 * Returns the state in the document; undefined if it will be uploaded separately.
 * @throws 422 when it is invalid
 */
export function stateOf({ attributes }: StateInput): Promise<GivenBytes | undefined> {
  return bytesOf('state', attributes.state);
}

/**
 * Returns the JSON form of the state in the document.
 * @throws 422 when it is invalid
 */
export function jsonOf({ attributes }: StateInput): Promise<GivenBytes | undefined> {
  return bytesOf('json-state', attributes['json-state']);
}

/** Returns the client's list of outputs. @throws 422 when it is invalid */
export async function givenOutputs({ attributes }: StateInput): Promise<readonly Output[]> {
  const name = 'json-state-outputs';
  const text = attributes[name];
  if (text instanceof LongText && text.bytes > MAX_OUTPUTS_TEXT)
    throw refused(name, `must not have more than ${MAX_OUTPUTS_TEXT} characters`);
  const bytes = await bytesOf(name, text);
  if (bytes === undefined) return [];
  const outputs = await readGivenOutputs(pieceByPiece(bytes));
  if (outputs === undefined) throw refused(name, 'must be a JSON object of outputs, in base64');
  return outputs;
}

/** Yields to the event loop between the chunks. */
export async function* pieceByPiece(bytes: GivenBytes): AsyncGenerator<Buffer> {
  for (const [number, piece] of bytes.entries()) {
    if (number > 0) await yieldIfDue();
    yield piece;
  }
}

async function bytesOf(name: string, text: string | LongText | null | undefined): Promise<GivenBytes | undefined> {
  if (text === undefined || text === null || text === '') return undefined;
  const reader = new Base64Reader();
  const bytes: Buffer[] = [];
  const keep = (decoded: Buffer | undefined) => {
    if (decoded === undefined) throw refused(name, 'must be base64');
    if (decoded.length > 0) bytes.push(decoded);
  };
  for await (const piece of pieceByPiece(text instanceof LongText ? text.pieces : [Buffer.from(text)])) {
    keep(reader.write(piece));
  }
  keep(reader.end());
  return bytes;
}

function refused(name: string, what: string) {
  return unprocessable([attributeIssue(name, `${name} ${what}`)]);
}

/** Returns the outputs to store with the version until its state is uploaded. */
export async function sealOutputs(
  keyring: Keyring,
  versionId: string,
  outputs: readonly Output[],
): Promise<Uint8Array> {
  return keyring.encrypt(await inOne(listText(outputs)), contextOf(versionId));
}

export async function openOutputs(
  keyring: Keyring,
  versionId: string,
  sealed: Uint8Array | null,
): Promise<readonly Output[]> {
  return sealed === null ? [] : readList(keyring.decrypt(sealed, contextOf(versionId)));
}

const contextOf = (versionId: string) => `state-outputs/${versionId}`;

export const sealedOutputs: SealedColumn = {
  table: 'state_version',
  key: ['id'],
  column: 'given_outputs',
  boundTo: [],
  contextOf: contextOf,
};
