import { text } from '../../shell/search.ts';

export const CAPABILITIES = ['read', 'list', 'create', 'update', 'patch', 'delete'] as const;

/** Request to check, as search parameters. */
export interface Question {
  readonly path?: string;
  readonly capability?: string;
  /** Additional policies, separated by commas. */
  readonly with?: string;
  /** Accessor of a token, instead of policies. */
  readonly accessor?: string;
}

export function readQuestion(search: Record<string, unknown>): Question {
  return {
    ...text(search, 'path'),
    ...text(search, 'capability'),
    ...text(search, 'with'),
    ...text(search, 'accessor'),
  };
}

export const capabilityOf = ({ capability }: Question): string =>
  CAPABILITIES.find((one) => one === capability) ?? 'read';

/** A request with its expected result, stored in the URL. */
export interface Test {
  readonly capability: string;
  readonly path: string;
  readonly allowed: boolean;
}

/** @limit tests beside a policy, tests -> the others are left out */
const MOST_TESTS = 30;

/** Parses tests: `update:auth/cert/certs/web,-read:auth/cert/config`. A minus means that denial is expected. */
export function readTests(written: string | undefined): readonly Test[] {
  const parts = (written ?? '').split(',').slice(0, MOST_TESTS);
  return parts.flatMap((part) => {
    const [, minus, capability = '', path = ''] = /^(-?)([a-z]+):(.+)$/.exec(part) ?? [];
    return path === '' ? [] : [{ capability, path: path.replaceAll('%2C', ','), allowed: minus === '' }];
  });
}

export const writeTests = (tests: readonly Test[]): string =>
  tests
    .map(({ capability, path, allowed }) => `${allowed ? '' : '-'}${capability}:${path.replaceAll(',', '%2C')}`)
    .join(',');

export const isSameTest = (one: Test, other: Test): boolean =>
  one.capability === other.capability && one.path === other.path;

/** Returns the additional policies of a request. */
export const policiesOf = (question: Question): readonly string[] =>
  (question.with ?? '').split(',').filter((name) => name !== '');
