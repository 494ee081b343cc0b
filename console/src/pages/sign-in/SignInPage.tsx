import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Field } from '../../components/form/Field.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { type Session, type Side, sessionQuery, signIn } from '../../session/session.ts';
import { usePlace } from '../../shell/page.ts';
import { Basin } from './Basin.tsx';
import { Logo } from './Logo.tsx';
import styles from './sign-in.module.css';

const PREFIX = { access: 'lks.', workspaces: 'lku.' } as const;

/** Why nobody was signed in, and what to do. */
const REFUSALS: Readonly<Record<string, string>> = {
  certificate: 'Your browser presented no certificate, or one that no role lets in.',
  away: 'The provider does not answer. Try again in a minute, or sign in with a token; the operator can give you one.',
  denied: 'The provider did not let you in. Ask whoever runs it.',
  invalid: 'What the provider answered does not hold. Try again; if it stays so, tell the operator.',
  expired: 'That took too long, or began in another browser. Begin again.',
  unknown: 'The provider knows you, and nobody has let you in here. Ask for an invitation to your address.',
  taken: 'Somebody here has your address already. Sign in with a token, or ask the operator.',
  suspended: 'You are suspended. A site administrator can let you in again.',
  another: 'That was somebody else. Sign in at the provider as the person that you are here, or sign out here first.',
  none: 'That organization has no provider here. Look at how its name is spelled, or sign in with a token.',
  full: 'The organization has as many people as it can. Tell its owners.',
  stale: 'The provider did not ask who you are, or does not say when it did. Tell the operator.',
  groups: 'You are in more groups than the provider tells. Ask the operator to have it send fewer.',
};

/** Who are you? One token of either API, or a certificate. */
export function SignInPage() {
  const { to = '/', side, ended, refused } = useSearch({ from: '/~sign-in' });
  const session = useQuery(sessionQuery);
  usePlace([{ label: 'Sign in' }]);
  return (
    <div className={styles.page}>
      <main>
        <div>
          <Logo />
        </div>
        <div className={styles.form}>
          <h1>Sign in</h1>
          <p className={styles.host}>
            to <code>{location.host}</code>
            {side && `, for ${side}`}
          </p>
          {refused && (
            <p className={styles.fault} role="alert">
              {REFUSALS[refused] ?? REFUSALS.invalid}
            </p>
          )}
          <Answered query={session} what="The server">
            {(data) => (
              <>
                <Ways session={data} side={side} to={to} />
                {data.offers.organizations && side !== 'access' && (
                  <ByOrganization to={to} isOpen={refused === 'none'} />
                )}
              </>
            )}
          </Answered>
          {(ended || to !== '/') && (
            <p className={styles.back}>
              {ended && 'Your session has ended. '}
              {to !== '/' && (
                <>
                  You come back to <code>{to}</code>.
                </>
              )}
            </p>
          )}
        </div>
        <div className={styles.foot}>
          {session.data && <span>Lockkeeper {session.data.version}</span>}
          {session.data && <span>{offered(session.data)}</span>}
        </div>
      </main>
      <Basin />
    </div>
  );
}

function Ways({
  session,
  side,
  to,
}: {
  readonly session: Session;
  readonly side: Side | undefined;
  readonly to: string;
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [token, setToken] = useState('');
  const enter = useMutation({
    mutationFn: signIn,
    onSuccess: async (answer) => {
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, answer);
      await navigate({ href: `/app${to}`, replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() !== '') enter.mutate({ token: token.trim() });
  };
  const { certificate, provider } = session.offers;
  const byCertificate = () => {
    if (certificate?.startsWith('https:'))
      location.assign(`${certificate}?to=${encodeURIComponent(`${location.origin}/app${to}`)}`);
    else enter.mutate({ certificate: true });
  };
  const isBusy = enter.isPending;
  return (
    <>
      {provider && side !== 'access' && (
        <>
          <a className={buttonClass(['primary', 'block'])} href={`${provider.address}?${new URLSearchParams({ to })}`}>
            Continue with {provider.name}
          </a>
          <p className={styles.or}>or</p>
        </>
      )}
      {certificate && side !== 'workspaces' && (
        <>
          <Button look={['primary', 'block']} onClick={byCertificate}>
            <Icon name="cert" />
            {isBusy && token === '' ? 'Asking…' : 'Continue with a certificate'}
          </Button>
          <p className={styles.note}>Your browser asks which one to present. Its key stays where it is.</p>
          <p className={styles.or}>or</p>
        </>
      )}
      <form onSubmit={submit}>
        <Field
          label="Token"
          type="password"
          large
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
          placeholder={placeholder(session, side)}
          value={token}
          onText={setToken}
          help={
            <>
              {side !== 'workspaces' && session.offers.access && (
                <>
                  <code>lks.</code> opens access
                  {side === undefined && session.offers.workspaces && ', '}
                </>
              )}
              {side !== 'access' && session.offers.workspaces && (
                <>
                  <code>lku.</code> opens workspaces
                </>
              )}
              . The console exchanges it for one that ends with the session, where it may, and forgets it.
            </>
          }
        />
        {enter.error && (
          <p className={styles.fault} role="alert">
            {enter.error.message}
          </p>
        )}
        <Button type="submit" look="block">
          {isBusy && token !== '' ? 'Signing in…' : 'Continue with the token'}
        </Button>
      </form>
    </>
  );
}

/** Its name leads to its provider. */
function ByOrganization({ to, isOpen }: { readonly to: string; readonly isOpen: boolean }) {
  const [isAsked, setAsked] = useState(isOpen);
  const [organization, setOrganization] = useState('');
  const name = organization.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === '') return;
    const place = `/app/~session/oidc/organizations/${encodeURIComponent(name)}`;
    location.assign(`${place}?${new URLSearchParams({ to })}`);
  };
  if (!isAsked) {
    return (
      <p className={styles.also}>
        <Button look="quiet" onClick={() => setAsked(true)}>
          Sign in with the provider of your organization
        </Button>
      </p>
    );
  }
  return (
    <>
      <p className={styles.or}>or</p>
      <form onSubmit={submit}>
        <Field
          label="Organization"
          large
          autoFocus
          autoComplete="organization"
          spellCheck={false}
          required
          help="As it is named here. You are led to its provider."
          value={organization}
          onText={setOrganization}
        />
        <Button type="submit" look="block">
          Continue with its provider
        </Button>
      </form>
    </>
  );
}

function placeholder({ offers }: Session, side: Side | undefined): string {
  const sides = (['access', 'workspaces'] as const).filter((one) => offers[one] && (side ?? one) === one);
  return sides.map((one) => PREFIX[one]).join(' or ');
}

function offered({ offers }: Session): string {
  const sides = [offers.access && 'access', offers.workspaces && 'workspaces'].filter(Boolean);
  return `${sides.join(' and ')} ${sides.length === 1 ? 'is' : 'are'} ready`;
}
