import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { day } from '../../format/time.ts';
import { Button } from '../button/Button.tsx';
import { Destroy } from '../destroy/Destroy.tsx';
import { AskDialog } from '../dialog/Dialog.tsx';
import { Field, Select } from '../form/Field.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import { Secret } from '../secret/Secret.tsx';
import { Section } from '../section/Section.tsx';
import { Table } from '../table/Table.tsx';
import { Ago } from '../time/Time.tsx';
import * as texts from './texts.ts';

type Token = Resources['authentication-tokens'];
const DAY_MS = 86_400_000;
const LIVES = [
  ['1', texts.aDay],
  ['30', texts.n30Days],
  ['90', texts.n90Days],
  ['365', texts.aYear],
  ['', texts.maximumLifetime],
] as const;

/** Attributes of a new token. */
export interface NewToken {
  readonly description: string;
  readonly 'expired-at': string | null;
}

interface TokensProps {
  readonly title: string;
  /** Owner: `team network`. */
  readonly of: string;
  readonly query: UseQueryResult<{ readonly data: readonly Token[] }>;
  /** Creates a token; undefined if the user has no permission. */
  readonly create?: ((attributes: NewToken) => Promise<{ readonly data: Token }>) | undefined;
  /** Whether the owner has one token only: a new one replaces it and has no description. */
  readonly isOnly?: boolean;
  readonly remove?: (id: string) => Promise<unknown>;
  readonly mayRevoke: boolean;
  /** One sentence about what the tokens give access to. */
  readonly children: ReactNode;
}

/** List of an owner's tokens, with actions to create and revoke them. A new token is shown once. */
export function Tokens({ title, of, query, create, isOnly = false, remove, mayRevoke, children }: TokensProps) {
  const [isAsking, setAsking] = useState(false);
  const [made, setMade] = useState<string>();
  const revoke =
    remove ?? ((id: string) => workspaces.send('DELETE /authentication-tokens/{token_id}', { path: { token_id: id } }));
  const open = create && (
    <Button look="small" onClick={() => setAsking(true)} aria-label={texts.newTokenOf(of)}>
      {texts.newToken}
    </Button>
  );
  return (
    <Section title={title} end={open}>
      <p className="soft">{children}</p>
      {made !== undefined && <Secret what={texts.tokenOf(of)} text={made} onClose={() => setMade(undefined)} />}
      <QueryResult query={query} what={title}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noTokensYet}</p>
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
                  head: texts.description,
                  isName: true,
                  cell: ({ id, attributes }) => <bdi>{attributes.description || id}</bdi>,
                },
                {
                  id: 'used',
                  head: texts.lastUsed,
                  cell: ({ attributes }) => <Used time={attributes['last-used-at']} />,
                },
                { id: 'end', head: texts.expires, cell: ({ attributes }) => <End time={attributes['expired-at']} /> },
                { id: 'made', head: texts.created, cell: ({ attributes }) => day(attributes['created-at']) },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: ({ id, attributes }) =>
                    mayRevoke && (
                      <Destroy
                        verb={texts.revoke}
                        what={texts.token(attributes.description || id)}
                        isRow
                        run={() => revoke(id)}
                      >
                        <p>{texts.theServerRefusesThis}</p>
                      </Destroy>
                    ),
                },
              ]}
            />
          )
        }
      </QueryResult>
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
      title={texts.newTokenOf(of)}
      action={texts.createToken}
      busy={change.isPending}
      fault={change.error}
      off={!isOnly && description.trim() === '' && texts.enterADescription}
      onAction={() => change.mutate()}
      onClose={onClose}
    >
      {isOnly ? (
        <p>{texts.theNewTokenReplaces}</p>
      ) : (
        <Field
          name="description"
          label={texts.description}
          help={texts.purposeOfTheToken}
          maxLength={255}
          value={description}
          onText={setDescription}
          autoFocus
        />
      )}
      <Select name="expired-at" label={texts.lifetime} value={days} options={LIVES} onText={setDays} />
    </AskDialog>
  );
}

function Used({ time }: { readonly time: string | null }) {
  return time === null ? (
    <span className="soft">{texts.neverUsed}</span>
  ) : (
    <>
      {texts.used} <Ago time={time} /> {texts.ago}
    </>
  );
}

function End({ time }: { readonly time: string | null }) {
  if (time === null) return texts.neverExpires;
  const isOver = Date.parse(time) <= Date.now();
  return <span className={isOver ? 'soft' : ''}>{isOver ? texts.expired(day(time)) : texts.expires2(day(time))}</span>;
}
