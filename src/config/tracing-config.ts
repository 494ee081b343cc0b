import Type, { type Static } from 'typebox';
import { ConfigError } from './config-error.ts';
import { type SecretConfig, tokenFields, toSecret } from './secret-config.ts';
import { defaulted, path, setting } from './setting.ts';

/** Collector of traces. */
export interface TracingConfig {
  readonly endpoint: string;
  /** Fraction of traces to record, 0 to 1. */
  readonly sampleRatio: number;
  readonly tokenHeader: string;
  readonly token?: SecretConfig;
  readonly authoritiesFile?: string;
}

/** Schema of `tracing`. */
export const tracing = Type.Object(
  {
    otlp_endpoint: setting(
      Type.String({ pattern: '^https?://[^\\s?#@]+$', maxLength: 2048 }),
      'http://HOST:4318 or https://HOST; /v1/traces is added',
      'URL of an OpenTelemetry collector that accepts OTLP over HTTP. Without it tracing is off.',
    ),
    sample_ratio: defaulted(
      Type.Number({ minimum: 0, maximum: 1, default: 1 }),
      '0 to 1',
      'Fraction of traces to record, of those that start here. For other traces the caller decides.',
    ),
    ...tokenFields('Read at start.'),
    authorities_file: Type.Optional(
      path("CA certificates (PEM) that verify the collector, instead of the system's. Read at start."),
    ),
  },
  { additionalProperties: false },
);

/** @throws ConfigError */
export function toTracing(tree: Static<typeof tracing>, at: (path: string) => string): TracingConfig {
  const { otlp_endpoint: endpoint, token: text, token_file: file, authorities_file: authorities } = tree;
  if (!URL.canParse(endpoint))
    throw new ConfigError('tracing.otlp_endpoint: found no URL; allowed: http://HOST:4318 or https://HOST');
  const token = toSecret('tracing.token', text, file, at);
  return {
    endpoint,
    sampleRatio: tree.sample_ratio,
    tokenHeader: tree.token_header,
    ...(token && { token }),
    ...(authorities !== undefined && { authoritiesFile: at(authorities) }),
  };
}
