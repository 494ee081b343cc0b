import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { day } from '../../format/time.ts';
import { Button } from '../button/Button.tsx';
import { Destroy } from '../destroy/Destroy.tsx';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Answered } from '../faces/Answered.tsx';
import { Field, Select } from '../form/Field.tsx';
import { Secret } from '../secret/Secret.tsx';
import { Section } from '../section/Section.tsx';
import { Table } from '../table/Table.tsx';
import { Ago } from '../time/Time.tsx';

type Token = Resources['authentication-tokens'];
const DAY_MS = 86_400_000;
const LIVES = [
  ['1', 'a day'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
  ['', 'as long as is allowed'],
] as const;

/** What a new token is told. */
export interface NewToken {
  readonly description: string;
  readonly 'expired-at': string | null;
}

interface TokensProps {
  readonly title: string;
  /** Whose: `team network`. */
  readonly of: string;
  readonly query: UseQueryResult<{ readonly data: readonly Token[] }>;
  /** Undefined: whoever looks may not. */
  readonly create?: ((attributes: NewToken) => Promise<{ readonly data: Token }>) | undefined;
  /** One alone takes the place of the one before, and is not described. */
  readonly isOnly?: boolean;
  readonly remove?: (id: string) => Promise<unknown>;
  readonly mayRevoke: boolean;
  /** One sentence: what they open. */
  readonly children: ReactNode;
}

/** Tokens of somebody: a new one is shown once, with its end; each says when it was used last, and can be revoked. */
export function Tokens({ title, of, query, create, isOnly = false, remove, mayRevoke, children }: TokensProps) {
  const [isAsking, setAsking] = useState(false);
  const [made, setMade] = useState<string>();
  const revoke =
    remove ?? ((id: string) => workspaces.send('DELETE /authentication-tokens/{token_id}', { path: { token_id: id } }));
  const open = create && (
    <Button look="small" onClick={() => setAsking(true)} aria-label={`New token of ${of}`}>
      New token…
    </Button>
  );
  return (
    <Section title={title} end={open}>
      <p className="soft">{children}</p>
      {made !== undefined && <Secret what={`token of ${of}`} text={made} onClose={() => setMade(undefined)} />}
      <Answered query={query} what={title}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">There is none.</p>
          ) : (
            <Table
              label={title}
              flush
              twoLines
              items={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'what',
                  head: 'Description',
                  isName: true,
                  cell: ({ id, attributes }) => <bdi>{attributes.description || id}</bdi>,
                },
                { id: 'used', head: 'Last used', cell: ({ attributes }) => <Used time={attributes['last-used-at']} /> },
                { id: 'end', head: 'Ends', cell: ({ attributes }) => <End time={attributes['expired-at']} /> },
                { id: 'made', head: 'Created', cell: ({ attributes }) => day(attributes['created-at']) },
                {
                  id: 'do',
                  head: 'What can be done',
                  hideHead: true,
                  isNumber: true,
                  cell: ({ id, attributes }) =>
                    mayRevoke && (
                      <Destroy
                        verb="Revoke"
                        what={`token ${attributes.description || id}`}
                        isRow
                        run={() => revoke(id)}
                      >
                        <p>Whoever holds it is refused from now on. It cannot be brought back.</p>
                      </Destroy>
                    ),
                },
              ]}
            />
          )
        }
      </Answered>
      {isAsking && create && (
        <NewTokenDialog
          of={of}
          isOnly={isOnly}
          create={create}
          onClose={() => setAsking(false)}
          onMade={(text) => {
            setMade(text);
            setAsking(false);
          }}
        />
      )}
    </Section>
  );
}

interface NewTokenProps {
  readonly of: string;
  readonly isOnly: boolean;
  readonly create: NonNullable<TokensProps['create']>;
  readonly onClose: () => void;
  readonly onMade: (text: string) => void;
}

function NewTokenDialog({ of, isOnly, create, onClose, onMade }: NewTokenProps) {
  const [description, setDescription] = useState('');
  const [days, setDays] = useState('30');
  const change = useChange(
    () =>
      create({ description, 'expired-at': days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null }),
    ({ data }) => onMade(data.attributes.token ?? ''),
  );
  return (
    <AskDialog
      title={`New token of ${of}`}
      action="Create token"
      busy={change.isPending}
      fault={change.error}
      off={!isOnly && description.trim() === '' && 'Say what it is for'}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      {isOnly ? (
        <p>It takes the place of the one before, which ends at once.</p>
      ) : (
        <Field
          name="description"
          label="Description"
          help="What it is for: who reads the list has to know."
          maxLength={255}
          value={description}
          onText={setDescription}
          autoFocus
        />
      )}
      <Select name="expired-at" label="Life" value={days} options={LIVES} onText={setDays} />
    </AskDialog>
  );
}

function Used({ time }: { readonly time: string | null }) {
  return time === null ? (
    <span className="soft">never used</span>
  ) : (
    <>
      used <Ago time={time} /> ago
    </>
  );
}

function End({ time }: { readonly time: string | null }) {
  if (time === null) return 'never ends';
  const isOver = Date.parse(time) <= Date.now();
  return <span className={isOver ? 'soft' : ''}>{isOver ? `ended ${day(time)}` : `ends ${day(time)}`}</span>;
}
