import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const PLATFORM = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
const PROGRAM = readFileSync('/bin/true');

/** Path of the packages of a fake provider in the cache of engines. */
export const placeOf = (type: string): string => `registry.invalid/acme/${type}/1.2.3/${PLATFORM}`;

/** The `h1:` hash of the package with one program: the one that a fake engine downloads, or another. */
export function hashOf(type: string, ending: string, program: Uint8Array = PROGRAM): string {
  const sum = createHash('sha256').update(program).update(ending).digest('hex');
  const line = `${sum}  terraform-provider-${type}\n`;
  return `h1:${createHash('sha256').update(line).digest('base64')}`;
}

/** Content of a dependency lock file. */
export const lockFile = (type: string, ...hashes: string[]): Record<string, string> => ({
  '.terraform.lock.hcl': `
provider "registry.invalid/acme/${type}" {
  version     = "1.2.3"
  constraints = "~> 1.2"
  hashes = [
    ${hashes.map((hash) => `"${hash}",`).join('\n    ')}
    "zh:00aabb",
  ]
}
`,
});

/**
 * Script that acts like an engine. `init` executes `init.sh` of the configuration, then looks for the provider named
 * in the file `provider` in its cache, and downloads it if it is missing: a program that ends with "good". `plan`
 * executes `plan.sh`, and prints the last line of the provider at that time.
 */
export const PRETENDED = `
[ $1 != version ] || { echo Terraform v1.11.4; exit; }
type=$(cat provider); package="$TF_PLUGIN_CACHE_DIR/registry.invalid/acme/$type/1.2.3/${PLATFORM}"
program="$package/terraform-provider-$type"
fetch() { mkdir -p "$2"; { cat /bin/true; printf "$1"; } >"$2/terraform-provider-$type"; chmod +x "$2/terraform-provider-$type"; }
case $1 in
  init)
    if [ -x "$program" ]; then echo "$type: from the cache"; else echo "$type: fetched"; fetch good "$package"; fi
    [ ! -f init.sh ] || . ./init.sh
    true;;
  plan)
    [ ! -f plan.sh ] || . ./plan.sh
    "$program" && echo "$type: $(tail -c 4 "$program")"; echo x >../plan/tfplan; exit 2;;
  *) echo "{}";;
esac
`;
