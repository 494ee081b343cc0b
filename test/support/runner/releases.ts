import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EngineKind } from '../../../src/runner/index.ts';
import { newSigner, type Signer } from './signer.ts';
import { zipOf } from './zip.ts';

const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;
const SIGNATURES = { opentofu: '.gpgsig', terraform: '.sig' } as const;

/** Differences of a published release from a correct one. */
export interface Published {
  readonly zip?: Buffer;
  readonly sums?: string;
  readonly signer?: Signer;
  readonly signature?: Buffer;
}

/** A server with releases of engines, in the layout of the vendors' servers. */
export interface ReleaseServer {
  readonly base: string;
  /** Public keys of the signers, armored. */
  readonly key: string;
  /** Requested paths, in order. */
  readonly asked: string[];
  /** Publishes an engine that prints this version. */
  publish(kind: EngineKind, version: string, otherwise?: Published): void;
  /** Sets another response for a path. */
  answer(path: RegExp, listener: RequestListener): void;
  close(): Promise<void>;
}

/** Script of an engine of that version: it prints its version. */
export function engineScript(kind: EngineKind, version: string): string {
  return `#!/bin/sh\necho '${kind === 'opentofu' ? 'OpenTofu' : 'Terraform'} v${version}'\n`;
}

export async function startReleases(): Promise<ReleaseServer> {
  const files = new Map<string, Buffer>();
  const answers: [RegExp, RequestListener][] = [];
  const asked: string[] = [];
  const own = newSigner();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const special = answers.findLast(([pattern]) => pattern.test(path));
    if (special) return special[1](request, response);
    const file = files.get(path);
    response.statusCode = file === undefined ? 404 : 200;
    response.end(file);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: own.key,
    asked,
    publish(kind, version, otherwise = {}) {
      const program = kind === 'opentofu' ? 'tofu' : 'terraform';
      const folder = kind === 'opentofu' ? `/v${version}` : `/${version}`;
      const name = `${program}_${version}_${process.platform}_${ARCHITECTURE}.zip`;
      const usual = () =>
        zipOf([
          { name: 'LICENSE', content: 'free', mode: 0o100644 },
          { name: program, content: engineScript(kind, version) },
          { name: 'docs/README.md', content: 'read me', mode: 0o100644 },
        ]);
      const { zip = usual(), signer = own } = otherwise;
      const sum = createHash('sha256').update(zip).digest('hex');
      const sums = Buffer.from(
        otherwise.sums ?? `${'0'.repeat(64)}  ${program}_${version}_plan9_386.zip\n${sum}  ${name}\n`,
      );
      const path = `${folder}/${program}_${version}_SHA256SUMS`;
      files.set(`${folder}/${name}`, zip);
      files.set(path, sums);
      files.set(`${path}${SIGNATURES[kind]}`, otherwise.signature ?? signer.sign(sums));
    },
    answer(path, listener) {
      answers.push([path, listener]);
    },
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
