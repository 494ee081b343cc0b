import { readFileSync } from 'node:fs';

const SCRIPT = new URL('../../install.sh', import.meta.url);

export interface Installed {
  readonly version: string;
  /** URL of the repository whose releases have the files. */
  readonly repository?: string | undefined;
  /** Public key in the form of `minisign -P`. */
  readonly key?: string | undefined;
}

/** Returns `install.sh` with the release, the URL and the key that it uses by default. */
export function installer({ version, repository, key = '' }: Installed): string {
  const defaults = {
    VERSION: version,
    RELEASES: repository === undefined ? '' : `${repository}/releases/download`,
    KEY: key,
  };
  return Object.entries(defaults).reduce(
    (script, [name, value]) => {
      if (/['\n]/.test(value) || !script.includes(`\n${name}=''\n`))
        throw new Error(`install.sh cannot get ${name}=${value}`);
      return script.replace(`\n${name}=''\n`, `\n${name}='${value}'\n`);
    },
    readFileSync(SCRIPT, 'utf8'),
  );
}
