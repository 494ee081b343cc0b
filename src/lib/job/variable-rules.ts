/** As HCL has names: identifiers of Unicode (UAX 31), and the hyphen. */
const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;
/** Variables with options for the steps of an engine. */
const OPTIONS = /^TF_CLI_ARGS(_|$)/;
/** Options that would lead an engine away from the state and the folder that it is given. */
const OF_THE_STATE = /(?:^|\s)--?(state|state-out|backend|backend-config|force-copy|migrate-state|reconfigure)\b/;
/** Engines split options as shells do: each of these may be anywhere in one, and is not part of it. */
const QUOTES = /["'\\]/g;
/** @limit an environment variable of a run, name and value, bytes -> 422; the run fails, and says so */
const MAX_VALUE = 131_072;

/** Whether an engine can have a variable of that name. */
export function isVariableName(key: string): boolean {
  return IDENTIFIER.test(key);
}

/** Says in a sentence without its full stop why an engine cannot be given an environment variable; undefined where it can. */
export function environmentProblem(key: string, value: string): string | undefined {
  if (key === '' || /[=\0]/.test(key)) return `${JSON.stringify(key)} cannot be the name of an environment variable`;
  if (value.includes('\0')) return `The environment variable ${key} has a zero byte in it`;
  if (Buffer.byteLength(key) + Buffer.byteLength(value) + 2 > MAX_VALUE) {
    return `The environment variable ${key} is longer than ${MAX_VALUE} bytes, which no program can be given`;
  }
  const [, option] = OPTIONS.test(key) ? (OF_THE_STATE.exec(value.replaceAll(QUOTES, '')) ?? []) : [];
  if (option === undefined) return undefined;
  return `The environment variable ${key} has the option -${option}, with which the run would not work with the state of this workspace: remove it`;
}
