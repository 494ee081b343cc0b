import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Resources, workspaces } from '../../api/client.ts';
import { day } from '../../format/time.ts';
import { registerPasskey } from '../../session/passkey.ts';
import type { Session } from '../../session/session.ts';
import { Button } from '../button/Button.tsx';
import { Destroy } from '../destroy/Destroy.tsx';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Field } from '../form/Field.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import { Section } from '../section/Section.tsx';
import { Table } from '../table/Table.tsx';
import { Ago } from '../time/Time.tsx';
import * as texts from './texts.ts';

type Passkey = Resources['passkeys'];
const LIST = 'GET /users/{user_id}/passkeys';

interface PasskeysProps {
  readonly userId: string;
  /** Session of the owner; undefined where a site administrator looks at the passkeys of somebody else. */
  readonly session?: Session;
}

/** Passkeys of a user, with actions to register and remove them. */
export function Passkeys({ userId, session }: PasskeysProps) {
  const [isAsking, setAsking] = useState(false);
  const passkeys = useQuery(workspaces.query(LIST, { path: { user_id: userId } }));
  const place = session?.offers.passkeys;
  if (session !== undefined && !place) return null;
  return (
    <Section
      title={texts.passkeys}
      end={
        place?.works && (
          <Button look="small" onClick={() => setAsking(true)}>
            {texts.newPasskey}
          </Button>
        )
      }
    >
      {session && <p className="soft">{texts.aPasskeySignsYou}</p>}
      {place && !place.works && (
        <p>
          {texts.browsersAcceptNo}
          {place.address && (
            <>
              {' '}
              {texts.open} <code>{`${place.address}/app`}</code>
            </>
          )}
        </p>
      )}
      <QueryResult query={passkeys} what={texts.passkeys}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noPasskeys}</p>
          ) : (
            <Table label={texts.passkeys} flush twoLines items={data} keyOf={({ id }) => id} columns={COLUMNS} />
          )
        }
      </QueryResult>
      {isAsking && <RegisterDialog onClose={() => setAsking(false)} />}
    </Section>
  );
}

const COLUMNS = [
  {
    id: 'name',
    head: texts.name,
    isName: true,
    cell: ({ attributes }: Passkey) => <bdi>{attributes.name}</bdi>,
  },
  {
    id: 'used',
    head: texts.lastUsed,
    cell: ({ attributes: { 'last-used-at': time } }: Passkey) =>
      time === null ? (
        <span className="soft">{texts.neverUsed}</span>
      ) : (
        <>
          {texts.used} <Ago time={time} /> {texts.ago}
        </>
      ),
  },
  {
    id: 'where',
    head: texts.storage,
    cell: ({ attributes }: Passkey) => (attributes['is-synced'] ? texts.synced : texts.onOneDevice),
  },
  { id: 'made', head: texts.created, cell: ({ attributes }: Passkey) => day(attributes['created-at']) },
  {
    id: 'do',
    head: texts.actions,
    hideHead: true,
    isNumber: true,
    cell: ({ id, attributes: { name } }: Passkey) => (
      <Destroy
        verb={texts.remove}
        what={texts.passkey(name)}
        isRow
        run={() => workspaces.send('DELETE /passkeys/{passkey_id}', { path: { passkey_id: id } })}
      >
        <p>{texts.itNoLongerSigns}</p>
      </Destroy>
    ),
  },
] as const;

function RegisterDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const register = useMutation({
    mutationFn: () => registerPasskey(name.trim()),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: workspaces.key(LIST) });
      onClose();
    },
  });
  return (
    <AskDialog
      title={texts.newPasskey}
      action={texts.register}
      busy={register.isPending}
      fault={register.error}
      off={name.trim() === '' && texts.enterAName}
      onAction={() => register.mutate()}
      onClose={onClose}
    >
      <Field label={texts.name} help={texts.nameOfTheDevice} maxLength={60} value={name} onText={setName} autoFocus />
    </AskDialog>
  );
}
