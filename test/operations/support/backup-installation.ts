import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '../../../src/storage/index.ts';
import { writeServerCertificate } from '../../support/machine/server-certificate.ts';
import { type Settings, Site } from '../../support/machine/site.ts';
import { createRoot } from '../../support/pki.ts';

const LISTENERS = `
  - address: 127.0.0.1:0
    services: [access, workspaces, metrics]
    console: false
    tls: { certificate_file: server.pem, private_key_file: server.key }`;

/** A server that is backed up and lost; machines log in to it with certificates. */
export class BackupInstallation extends Site {
  readonly backups = this.at('backups');
  readonly clients = createRoot({ subject: 'Client CA' });
  readonly client = this.clients.issue({ subject: 'machine-1', dns: ['machine-1.example.com'] });

  constructor(kind: Dialect, settings: Settings = {}) {
    super(kind, { listeners: LISTENERS, ...settings });
    const authority = createRoot({ subject: 'Server CA' });
    writeServerCertificate(authority, this.folder);
    this.ca = authority.pem;
    mkdirSync(this.backups);
  }

  /** Simulates a failed disk: deletes databases and blobs. */
  async lose(): Promise<void> {
    for (const folder of ['data', 'blobs']) rmSync(this.at(folder), { recursive: true, force: true });
    await this.dropSchema();
  }

  files(): string[] {
    return readdirSync(this.backups).toSorted();
  }

  bytes(file: string): Buffer {
    return readFileSync(join(this.backups, file));
  }
}
