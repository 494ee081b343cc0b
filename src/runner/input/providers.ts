import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { JobFolders } from '../isolation/isolation.ts';

/** Where engines look for providers before they ask a registry. */
const PLUGINS = '.terraform.d';

/** Lets an engine find the providers of this agent. */
export function writeProviderSettings(providers: string, here: JobFolders): void {
  mkdirSync(join(here.home, PLUGINS));
  symlinkSync(providers, join(here.home, PLUGINS, 'plugins'));
}
