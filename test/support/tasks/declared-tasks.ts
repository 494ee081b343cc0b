import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Declaration of a background task in the sources. */
export interface DeclaredTask {
  readonly name: string;
  readonly description: string;
}

/** Text of each source of the program, by its path such as `src/main.ts`. */
export function sources(): Map<string, string> {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  return new Map(files.sort().map((file) => [file, readFileSync(`${ROOT}/${file}`, 'utf8')]));
}

const DECLARATION =
  /: (?:TaskDefinition|DeliveryTask) = \{\s*name: '([^']*)',\s*description:\s*(?:'([^']*)'|"([^"]*)"|`([^`]*)`)/g;

export function declaredTasks(): DeclaredTask[] {
  return [...sources().values()].flatMap((text) =>
    [...text.matchAll(DECLARATION)].map(([, name = '', ...descriptions]) => ({
      name,
      description: descriptions.find((one) => one !== undefined) ?? '',
    })),
  );
}
