import { text } from '../../shell/search.ts';

export const CAPABILITIES = ['read', 'list', 'create', 'update', 'patch', 'delete'] as const;

/** What is asked, as the address of a page has it. */
export interface Question {
  readonly path?: string;
  readonly capability?: string;
  /** Policies beside the one of the page, with commas. */
  readonly with?: string;
  /** A token by its accessor, in place of policies. */
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

/** What should come of one request: it is kept in the address of the page. */
export interface Test {
  readonly capability: string;
  readonly path: string;
  readonly allowed: boolean;
}

/** @limit tests beside a policy, tests -> the others are left out */
const MOST_TESTS = 30;

/** `update:auth/cert/certs/web,-read:auth/cert/config`: a minus before what should be denied. */
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

/** The policies that are asked together with the one of a page. */
export const policiesOf = (question: Question): readonly string[] =>
  (question.with ?? '').split(',').filter((name) => name !== '');
