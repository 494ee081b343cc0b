/** A setting that cannot be used: a text for the operator, one line for each key. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
