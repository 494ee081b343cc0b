import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Entrance } from '../../components/entrance/Entrance.tsx';
import styles from '../../components/entrance/entrance.module.css';
import { Field } from '../../components/form/Field.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { signInWithPasskey } from '../../session/passkey.ts';
import { type Session, type Side, sessionQuery, signIn } from '../../session/session.ts';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';

const PREFIX = { access: 'lks.', workspaces: 'lku.' } as const;

/** Reasons why a sign-in failed, by their code in the URL, and what to do. */
const REFUSALS: Readonly<Record<string, string>> = {
  certificate: texts.yourBrowserPresentedNo,
  away: texts.theProviderDoesNot,
  denied: texts.theProviderDeniedThe,
  invalid: texts.theResponseOfThe,
  expired: texts.theSignInTook,
  unknown: texts.theProviderKnowsYou,
  taken: texts.anotherUserHasYour,
  suspended: texts.yourAccountIsSuspended,
  another: texts.youSignedInAt,
  none: texts.thisOrganizationHasNo,
  full: texts.theOrganizationHasReached,
  stale: texts.theProviderDidNot,
  groups: texts.youAreInToo,
  link: texts.theLinkWorksOnce,
};

/** Sign-in page: a token of either API, a client certificate, or an identity provider. */
export function SignInPage() {
  const { to = '/', side, ended, refused } = useSearch({ from: '/~sign-in' });
  const session = useQuery(sessionQuery);
  usePlace([{ label: texts.signIn }]);
  const foot = session.data && (
    <>
      <span>{texts.lockkeeper2(session.data.version)}</span>
      <span>{offered(session.data)}</span>
    </>
  );
  return (
    <Entrance title={texts.signIn} foot={foot}>
      <p className={styles.host}>
        {texts.to} <code>{location.host}</code>
        {side && texts.forText(side)}
      </p>
      {refused && (
        <p className={styles.fault} role="alert">
          {REFUSALS[refused] ?? REFUSALS.invalid}
        </p>
      )}
      <QueryResult query={session} what={texts.theServer}>
        {(data) => (
          <>
            <Ways session={data} side={side} to={to} />
            {data.offers.organizations && side !== 'access' && <ByOrganization to={to} isOpen={refused === 'none'} />}
          </>
        )}
      </QueryResult>
      {(ended || to !== '/') && (
        <p className={styles.back}>
          {ended && texts.yourSessionHasEnded}
          {to !== '/' && (
            <>
              {texts.youComeBackTo} <code>{to}</code>.
            </>
          )}
        </p>
      )}
    </Entrance>
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
  const welcome = async (answer: Session) => {
    queries.clear();
    queries.setQueryData(sessionQuery.queryKey, answer);
    await navigate({ href: `/app${to}`, replace: true });
  };
  const enter = useMutation({ mutationFn: signIn, onSuccess: welcome });
  const byPasskey = useMutation({ mutationFn: signInWithPasskey, onSuccess: welcome });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() !== '') enter.mutate({ token: token.trim() });
  };
  const { certificate, passkeys, provider } = session.offers;
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
            {texts.continueWith(provider.name)}
          </a>
          <p className={styles.or}>{texts.or}</p>
        </>
      )}
      {passkeys?.works && side !== 'access' && (
        <>
          <Button look="block" onClick={() => byPasskey.mutate()}>
            {byPasskey.isPending ? texts.signingIn : texts.continueWithAPasskey}
          </Button>
          {byPasskey.error && (
            <p className={styles.fault} role="alert">
              {byPasskey.error.message}
            </p>
          )}
          <p className={styles.or}>{texts.or}</p>
        </>
      )}
      {certificate && side !== 'workspaces' && (
        <>
          <Button look={['primary', 'block']} onClick={byCertificate}>
            <Icon name="cert" />
            {isBusy && token === '' ? texts.signingIn : texts.continueWithACertificate}
          </Button>
          <p className={styles.note}>{texts.yourBrowserAsksWhich}</p>
          <p className={styles.or}>{texts.or}</p>
        </>
      )}
      <form onSubmit={submit}>
        <Field
          label={texts.token}
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
                  <code>lks.</code> {texts.opensAccess}
                  {side === undefined && session.offers.workspaces && ', '}
                </>
              )}
              {side !== 'access' && session.offers.workspaces && (
                <>
                  <code>lku.</code> {texts.opensWorkspaces}
                </>
              )}
              {texts.exchanged}
            </>
          }
        />
        {enter.error && (
          <p className={styles.fault} role="alert">
            {enter.error.message}
          </p>
        )}
        {passkeys && !passkeys.works && passkeys.address && side !== 'access' && (
          <p className={styles.note}>
            {texts.passkeysWorkAt}{' '}
            <a className="link" href={`${passkeys.address}/app/~sign-in`}>
              {passkeys.address}
            </a>
          </p>
        )}
        <Button type="submit" look="block">
          {isBusy && token !== '' ? texts.signingIn : texts.continueWithTheToken}
        </Button>
      </form>
    </>
  );
}

/** Form for the name of an organization: leads to the identity provider of the organization. */
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
          {texts.signInWithThe}
        </Button>
      </p>
    );
  }
  return (
    <>
      <p className={styles.or}>{texts.or}</p>
      <form onSubmit={submit}>
        <Field
          label={texts.organization}
          large
          autoFocus
          autoComplete="organization"
          spellCheck={false}
          required
          help={texts.enterTheNameExactly}
          value={organization}
          onText={setOrganization}
        />
        <Button type="submit" look="block">
          {texts.continueWithTheIdentityProvider}
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
  return texts.ready(sides.join(' and '), sides.length === 1 ? 'is' : 'are');
}
