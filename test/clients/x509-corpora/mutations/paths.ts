import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as der from '../../../../src/pki/der.ts';
import type { Input } from '../inputs.ts';
import { mutationsOf, TAG_NAMES } from './mutations.ts';
import {
  authorityExtensions,
  certificateBody,
  clientExtensions,
  ECDSA_SHA256,
  ISSUER,
  RSA_SHA256,
  SUBJECT,
} from './templates.ts';
import { encoded, nodesIn, replaced, treeOf } from './tree.ts';

interface Signer {
  readonly name: string;
  readonly algorithm: Buffer;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** Indexes of fields in a TBSCertificate. */
const ALGORITHM = 2;
const KEY = 6;

/**
 * Returns paths of a client certificate and its issuing CA. One of the two is mutated and then signed correctly, so
 * that a validator has to decide about the mutation.
 */
export function mutatedPaths(): Input[] {
  const ecdsa: Signer = {
    name: 'ecdsa',
    algorithm: ECDSA_SHA256,
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  };
  const rsa: Signer = { name: 'rsa', algorithm: RSA_SHA256, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
  // RSA differs only in its algorithm and its key.
  return [...pathsOf(ecdsa, () => true), ...pathsOf(rsa, (place) => place === ALGORITHM || place === KEY)];
}

function pathsOf(signer: Signer, isWanted: (place: number | undefined) => boolean): Input[] {
  const client = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const bodies = {
    client: certificateBody(signer.algorithm, spki(client), SUBJECT, clientExtensions()),
    authority: certificateBody(signer.algorithm, spki(signer.publicKey), ISSUER, authorityExtensions(false)),
  };
  const whole = { client: signed(bodies.client, signer), authority: signed(bodies.authority, signer) };
  const input = (name: string, { client, authority }: typeof whole): Input => ({
    kind: 'path',
    name: `mutations/${signer.name} path${name}`,
    der: der.sequence(der.octetString(client), der.octetString(authority)),
  });
  const inputs = [input('', whole)];
  for (const which of ['client', 'authority'] as const) {
    const root = treeOf(bodies[which]);
    for (const { node, path } of nodesIn(root)) {
      if (!isWanted(path[0])) continue;
      const place = `${path.join('.')} ${TAG_NAMES[node.tag] ?? `[${node.tag & 0x1f}]`}`;
      for (const [change, bytes] of Object.entries(mutationsOf(node))) {
        const certificate = signed(replaced(root, path, bytes), signer, path[0] === ALGORITHM);
        inputs.push(input(`/${which} ${place}: ${change}`, { ...whole, [which]: certificate }));
      }
    }
  }
  return inputs;
}

/** @param isMutated whether the outer algorithm is a copy of the body's algorithm, even when that is malformed */
function signed(body: Buffer, { algorithm, privateKey }: Signer, isMutated = false): Buffer {
  const inside = isMutated ? elementAt(body, ALGORITHM) : undefined;
  return der.sequence(body, inside ?? algorithm, der.bitString(sign('sha256', body, privateKey)));
}

function elementAt(body: Buffer, place: number): Buffer | undefined {
  const node = treeOf(body).children?.[place];
  return node && encoded(node);
}

function spki(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' });
}
