import type { Job } from '../job.ts';

/** Where the configuration that an import generates is written, in the working directory. */
const GENERATED = 'generated.tf';

/** Makes a folder ready to be worked in. Among structured lines what it says has no colours. */
export const initArguments = ({ log }: Job): string[] => [
  ...['init', '-input=false'],
  ...(log === 'structured' ? ['-no-color'] : []),
];

/**
 * Plans, into a file.
 * @param variablesFile and the plan, as the engine sees them
 */
export function planArguments({ parameters, log }: Job, variablesFile: string, planFile: string): string[] {
  return [
    ...['plan', '-input=false', '-detailed-exitcode', `-out=${planFile}`, `-var-file=${variablesFile}`],
    ...(log === 'structured' ? ['-json'] : []),
    ...(parameters.destroy ? ['-destroy'] : []),
    ...(parameters.refreshOnly ? ['-refresh-only'] : []),
    ...(parameters.refresh ? [] : ['-refresh=false']),
    ...parameters.targets.map((address) => `-target=${address}`),
    ...parameters.replaces.map((address) => `-replace=${address}`),
    ...(parameters.generateConfiguration ? [`-generate-config-out=${GENERATED}`] : []),
  ];
}

/** Applies the plan in a file. */
export const applyArguments = ({ log }: Job, planFile: string): string[] => [
  ...['apply', '-input=false'],
  ...(log === 'structured' ? ['-json'] : []),
  planFile,
];

/** Prints the plan in a file as JSON. */
export const showArguments = (planFile: string): string[] => ['show', '-json', planFile];

/** Prints what providers say of their resources. */
export const schemaArguments = (): string[] => ['providers', 'schema', '-json'];
