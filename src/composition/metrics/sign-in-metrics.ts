import { counter, type Metrics } from '../../server/index.ts';

/** Metrics of logins and sign-ins. */
export const SIGN_IN_METRICS = {
  signIns: counter(
    'lockkeeper_sign_ins_total',
    'Logins: machines (access API), command lines and pipelines (OAuth), users in the console with a token or certificate ' +
      '(session), or with an identity provider.',
    ['way', 'outcome'],
  ),
} as const;

interface Way {
  readonly method: string;
  readonly route: RegExp;
}

/** Kinds by login route. */
const WAYS: Readonly<Record<string, Way>> = {
  machine: { method: 'POST', route: /^\/v1\/.*\/login$/ },
  oauth: { method: 'POST', route: /^\/oauth2\/token$/ },
  session: { method: 'POST', route: /^\/app\/~session$/ },
  session_certificate: { method: 'GET', route: /^\/app\/~session\/certificate$/ },
  provider: { method: 'GET', route: /^\/app\/~session\/oidc\/(organizations\/[^/]+\/)?callback$/ },
};

type Followed = Parameters<Parameters<Metrics['follow']>[0]>[0];

/** Returns undefined for requests that are not logins, or whose outcome is unknown. */
function signInOf({ method, route, status, fields }: Pick<Followed, 'method' | 'route' | 'status' | 'fields'>) {
  const [way] = Object.entries(WAYS).find(([, one]) => one.method === method && one.route.test(route ?? '')) ?? [];
  if (way === undefined || status === 499 || status >= 500) return undefined;
  // Responses to machines may be wrapped, and redirects have one status for success and failure.
  const isIn = fields.login_accessor !== undefined || (status < 400 && fields.error_kind === undefined);
  return { way, outcome: isIn ? 'accepted' : 'refused' };
}

export function registerSignIns(metrics: Metrics): void {
  const known = Object.keys(WAYS).flatMap((way) => ['accepted', 'refused'].map((outcome) => ({ way, outcome })));
  const signIns = metrics.counter(SIGN_IN_METRICS.signIns, known);
  metrics.follow((record) => {
    const found = signInOf(record);
    if (found) signIns.inc(found);
  });
}
