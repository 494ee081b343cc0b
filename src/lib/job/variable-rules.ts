/** Names in HCL: Unicode identifiers (UAX 31) and the hyphen. */
const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;
/** Variables with command-line options for commands of the engine. */
const OPTIONS = /^TF_CLI_ARGS(_|$)/;
/** Options that would make the engine use another state or folder. */
const OF_THE_STATE = /(?:^|\s)--?(state|state-out|backend|backend-config|force-copy|migrate-state|reconfigure)\b/;
/**
 * Engines split options like shells do. Each of these characters may appear anywhere in an option and is not part of
 * it.
 */
const QUOTES = /["'\\]/g;
/** @limit an environment variable of a run, name and value, bytes -> 422; the run fails with an error */
const MAX_VALUE = 131_072;

/** Returns whether the engine accepts a variable with this name. */
export function isVariableName(key: string): boolean {
  return IDENTIFIER.test(key);
}

/**
 * Returns why an engine cannot get an environment variable, as a sentence without its full stop; undefined if it can.
 */
export function environmentProblem(key: string, value: string): string | undefined {
  if (key === '' || /[=\0]/.test(key)) return `${JSON.stringify(key)} cannot be the name of an environment variable`;
  if (value.includes('\0')) return `The environment variable ${key} contains a zero byte`;
  if (Buffer.byteLength(key) + Buffer.byteLength(value) + 2 > MAX_VALUE) {
    return `The environment variable ${key} is longer than ${MAX_VALUE} bytes, the maximum of the operating system`;
  }
  const [, option] = OPTIONS.test(key) ? (OF_THE_STATE.exec(value.replaceAll(QUOTES, '')) ?? []) : [];
  if (option === undefined) return undefined;
  return `The environment variable ${key} has the option -${option}, which would make the run use another state than this workspace's. Remove the option`;
}
