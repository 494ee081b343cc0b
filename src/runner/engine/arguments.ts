import type { JobFolders } from '../isolation/isolation.ts';
import type { Job } from '../job.ts';

/**
 * File for the configuration that an import generates. It is next to the plan, because an engine refuses an existing
 * file.
 */
const GENERATED = 'generated.tf';
const PLAN = 'tfplan';

/** Returns the path of the plan file. */
export const planFile = ({ plan }: JobFolders): string => `${plan}/${PLAN}`;

/** Arguments of `init`. With structured logs the output has no colors. */
export const initArguments = ({ log }: Job): string[] => [
  ...['init', '-input=false'],
  ...(log === 'structured' ? ['-no-color'] : []),
];

/**
 * Arguments of `plan`.
 * @param variables file of variable definitions, as the engine sees it
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
    ...parameters.invokes.map((address) => `-invoke=${address}`),
    ...(parameters.generateConfiguration ? [`-generate-config-out=${seen.plan}/${GENERATED}`] : []),
  ];
}

/**
 * Arguments of `apply`.
 * @param variables file of variables that the plan does not contain, as the engine sees it; null for none
 */
export const applyArguments = ({ log }: Job, variables: string | null, seen: JobFolders): string[] => [
  ...['apply', '-input=false'],
  ...(log === 'structured' ? ['-json'] : []),
  ...(variables === null ? [] : [`-var-file=${variables}`]),
  planFile(seen),
];

/** Arguments of `show`, which prints the plan as JSON. */
export const showArguments = (seen: JobFolders): string[] => ['show', '-json', planFile(seen)];

/** Arguments of `providers schema`, which prints the schemas of resources. */
export const schemaArguments = (): string[] => ['providers', 'schema', '-json'];
