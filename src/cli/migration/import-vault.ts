import type { Command } from 'commander';

export function addImportVault(_command: Command): void {}
