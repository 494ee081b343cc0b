import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Entrance } from '../../components/entrance/Entrance.tsx';
import styles from '../../components/entrance/entrance.module.css';
import { Field } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { exact } from '../../format/time.ts';
import { forgetSecret, type Invitation, invitationQuery, takeSecret } from '../../session/invitation.ts';
import { createAccount } from '../../session/passkey.ts';
import { isOpen, type Session, sessionQuery } from '../../session/session.ts';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';

/** Page to which the link of an invitation leads, with and without a session. */
export function InvitationPage() {
  const [secret] = useState(takeSecret);
  const session = useQuery(sessionQuery);
  const invitation = useQuery({ ...invitationQuery(secret), enabled: secret !== '' });
  usePlace([{ label: texts.invitation }]);
  return (
    <Entrance title={invitation.data ? texts.joinThe(invitation.data.organization) : texts.invitation}>
      {secret === '' || invitation.isError ? (
        <Gone message={invitation.error?.message ?? texts.thisLinkIsNot} />
      ) : (
        <QueryResult query={invitation} what={texts.theInvitation}>
          {(data) => (
            <>
              <p className={styles.host}>{saying(data)}</p>
              <QueryResult query={session} what={texts.theServer}>
                {(who) => <Choices invitation={data} session={who} secret={secret} />}
              </QueryResult>
            </>
          )}
        </QueryResult>
      )}
    </Entrance>
  );
}

const saying = ({ invited_by: by, organization, expires_at: end }: Invitation) =>
  texts.invitedBy(by ?? organization, exact(end));

function Gone({ message }: { readonly message: string }) {
  return (
    <>
      <p role="alert">{message}</p>
      <p className={styles.also}>
        <Link className="link" to="/">
          {texts.goToTheStartPage}
        </Link>
      </p>
    </>
  );
}

interface ChoicesProps {
  readonly invitation: Invitation;
  readonly session: Session;
  readonly secret: string;
}

function Choices(props: ChoicesProps) {
  const { invitation, session, secret } = props;
  const { passkeys } = session.offers;
  if (session.workspaces?.kind === 'user') return <Answer {...props} />;
  return (
    <>
      {invitation.accounts && passkeys?.works && (
        <>
          <NewAccount {...props} />
          <p className={styles.or}>{texts.or}</p>
        </>
      )}
      {invitation.accounts && passkeys?.works === false && passkeys.address && (
        <p className={styles.note}>
          {texts.browsersAcceptNo}{' '}
          <a className="link" href={`${passkeys.address}/app/~invitation#${secret}`}>
            {passkeys.address}
          </a>
          .
        </p>
      )}
      <Link className={buttonClass(['block'])} to="/~sign-in" search={{ to: '/~invitation', side: 'workspaces' }}>
        {isOpen(session) ? texts.signInAsAUser : texts.signInWithMyAccount}
      </Link>
    </>
  );
}

/** Buttons for a user who is signed in. */
function Answer({ invitation: { organization }, session, secret }: ChoicesProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const answer = useMutation({
    mutationFn: (verb: 'accept' | 'decline') =>
      workspaces.send(`POST /invitation-links/actions/${verb}` as const, {
        body: { data: { type: 'invitation-links', attributes: { secret } } },
      }),
    onSuccess: async (_done, verb) => {
      forgetSecret();
      queries.clear();
      await navigate(verb === 'accept' ? { to: '/$organization/workspaces', params: { organization } } : { to: '/' });
    },
  });
  const name = session.workspaces?.name ?? '';
  return (
    <>
      {answer.error && (
        <p className={styles.fault} role="alert">
          {answer.error.message}
        </p>
      )}
      <Button look={['primary', 'block']} onClick={() => answer.mutate('accept')}>
        {texts.acceptAs(name)}
      </Button>
      <p className={styles.also}>
        <Button look="quiet" onClick={() => answer.mutate('decline')}>
          {texts.decline}
        </Button>
      </p>
    </>
  );
}

function NewAccount({ invitation: { organization }, secret }: ChoicesProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [username, setUsername] = useState('');
  const create = useMutation({
    mutationFn: () => createAccount(secret, username.trim(), texts.firstPasskey),
    onSuccess: async (session) => {
      forgetSecret();
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, session);
      await navigate({ to: '/$organization/workspaces', params: { organization } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (username.trim() !== '') create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Field
        label={texts.name}
        large
        required
        autoFocus
        autoComplete="username"
        spellCheck={false}
        maxLength={60}
        value={username}
        onText={setUsername}
        help={texts.othersSeeThisName}
      />
      {create.error && (
        <p className={styles.fault} role="alert">
          {create.error.message}
        </p>
      )}
      <Button type="submit" look={['primary', 'block']}>
        {create.isPending ? texts.creating : texts.createAnAccount}
      </Button>
    </form>
  );
}
