import type { JobFolders } from '../isolation/isolation.ts';
import type { Job } from '../job.ts';

/** Where the configuration that an import generates is written: beside the plan, since an engine refuses a name that is taken. */
const GENERATED = 'generated.tf';
const PLAN = 'tfplan';

/** Where the plan is. */
export const planFile = ({ plan }: JobFolders): string => `${plan}/${PLAN}`;

/** Makes a folder ready to be worked in. Among structured lines what it says has no colours. */
export const initArguments = ({ log }: Job): string[] => [
  ...['init', '-input=false'],
  ...(log === 'structured' ? ['-no-color'] : []),
];

/**
 * Plans, into a file.
 * @param variables file of definitions, as the engine sees it
 * @param seen the folders as the engine sees them
 */
export function planArguments({ parameters, log }: Job, variables: string, seen: JobFolders): string[] {
  return [
    ...['plan', '-input=false', '-detailed-exitcode', `-out=${planFile(seen)}`, `-var-file=${variables}`],
    ...(log === 'structured' ? ['-json'] : []),
    ...(parameters.destroy ? ['-destroy'] : []),
    ...(parameters.refreshOnly ? ['-refresh-only'] : []),
    ...(parameters.refresh ? [] : ['-refresh=false']),
    ...parameters.targets.map((address) => `-target=${address}`),
    ...parameters.replaces.map((address) => `-replace=${address}`),
    ...(parameters.generateConfiguration ? [`-generate-config-out=${seen.plan}/${GENERATED}`] : []),
  ];
}

/**
 * Applies the plan in a file.
 * @param variables file of definitions that the plan has not kept, as the engine sees it; null for none
 */
export const applyArguments = ({ log }: Job, variables: string | null, seen: JobFolders): string[] => [
  ...['apply', '-input=false'],
  ...(log === 'structured' ? ['-json'] : []),
  ...(variables === null ? [] : [`-var-file=${variables}`]),
  planFile(seen),
];

/** Prints the plan in a file as JSON. */
export const showArguments = (seen: JobFolders): string[] => ['show', '-json', planFile(seen)];

/** Prints what providers say of their resources. */
export const schemaArguments = (): string[] => ['providers', 'schema', '-json'];
