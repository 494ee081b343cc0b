import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { JobFolders } from '../isolation/isolation.ts';

/** Folder in which engines look for providers before they query a registry. */
const PLUGINS = '.terraform.d';

/** Links the providers of this agent into the home folder of the engine. */
export function writeProviderSettings(providers: string, here: JobFolders): void {
  mkdirSync(join(here.home, PLUGINS));
  symlinkSync(providers, join(here.home, PLUGINS, 'plugins'));
}
