import type { Keyring, SealedColumn } from '../../storage/index.ts';
import { attributeIssue, unprocessable } from '../jsonapi/errors.ts';
import { type Output, outputsOf } from './outputs.ts';
import type { StateInput } from './schema.ts';
import { MAX_OUTPUTS } from './state-reader.ts';

/** What a client sends inside the document: bytes in base64 (RFC 4648 §4). */

/** Undefined when it is to be uploaded. @throws 422 */
export function stateOf({ attributes }: StateInput): Buffer | undefined {
  return bytesOf('state', attributes.state);
}

/** @throws 422 */
export function jsonOf({ attributes }: StateInput): Buffer | undefined {
  return bytesOf('json-state', attributes['json-state']);
}

/** What the client says of the outputs. @throws 422 when it says nothing of the sort */
export function givenOutputs({ attributes }: StateInput): readonly Output[] {
  const bytes = bytesOf('json-state-outputs', attributes['json-state-outputs']);
  if (bytes === undefined) return [];
  const outputs = outputsOf(parsed(bytes));
  if (outputs === undefined) throw refused('json-state-outputs', 'must be a JSON object of outputs, in base64');
  return outputs.slice(0, MAX_OUTPUTS);
}

function bytesOf(name: string, text: string | null | undefined): Buffer | undefined {
  if (text === undefined || text === null || text === '') return undefined;
  const bytes = Buffer.from(text, 'base64');
  // Node leaves out what is not base64.
  const expected = Math.floor((text.replace(/=+$/, '').length * 3) / 4);
  if (bytes.length !== expected) throw refused(name, 'must be base64');
  return bytes;
}

function refused(name: string, what: string) {
  return unprocessable([attributeIssue(name, `${name} ${what}`)]);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Until the state has come they wait beside the version. */
export function sealOutputs(keyring: Keyring, versionId: string, outputs: readonly Output[]): Uint8Array {
  return keyring.encrypt(Buffer.from(JSON.stringify(outputs)), contextOf(versionId));
}

export function openOutputs(keyring: Keyring, versionId: string, sealed: Uint8Array | null): readonly Output[] {
  if (sealed === null) return [];
  return JSON.parse(Buffer.from(keyring.decrypt(sealed, contextOf(versionId))).toString()) as Output[];
}

const contextOf = (versionId: string) => `state-outputs/${versionId}`;

export const sealedOutputs: SealedColumn = {
  table: 'state_version',
  key: ['id'],
  column: 'given_outputs',
  contextOf: contextOf,
};
