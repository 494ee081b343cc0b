import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, type LinkProps } from '@tanstack/react-router';
import { useState } from 'react';
import { type AccessSchemas, access } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Field, Select } from '../../components/form/Field.tsx';
import { Form } from '../../components/form/Form.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { useMay } from '../../shell/may.ts';
import { type Method, methodOf } from '../../shell/mounts/mounts.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { DisableDialog, MoveDialog } from './MountDialogs.tsx';
import styles from './mounts.module.css';
import * as texts from './texts.ts';

/** Pages of a mount, by auth method. */
const PARTS: Readonly<Record<Method, readonly (readonly [label: string, to: NonNullable<LinkProps['to']>])[]>> = {
  cert: [
    [texts.roles, '/~access/roles'],
    [texts.crls, '/~access/revocation-lists'],
    [texts.certificateInspector, '/~access/inspect'],
  ],
  jwt: [
    [texts.roles, '/~access/jwt'],
    [texts.configuration, '/~access/jwt/configuration'],
    [texts.tokenInspector, '/~access/jwt/inspect'],
  ],
};
const REMOUNT = 'sys/remount';
const route = getRouteApi('/signed-in/~access/mounts');

interface MountViewProps {
  /** Path below `auth/`. */
  readonly path: string;
  readonly entry: AccessSchemas['MountEntry'] | undefined;
}

/** One mount: its properties, tuning, move and removal. */
export function MountView({ path, entry }: MountViewProps) {
  const [asking, setAsking] = useState<'move' | 'disable'>();
  const place = `sys/auth/${path}`;
  const may = useMay([place, `${place}/tune`, REMOUNT]);
  if (entry === undefined) {
    return (
      <Empty title={texts.noMountAtAuth(path)} command="lockkeeper read sys/auth" isPage>
        {texts.itMayHaveBeen}
      </Empty>
    );
  }
  const mayMove = may(REMOUNT, 'sudo') && may(REMOUNT, 'update');
  const mayDisable = may(place, 'sudo') && may(place, 'delete');
  const close = () => setAsking(undefined);
  const method = methodOf(entry.type);
  const parts = method ? PARTS[method] : [];
  return (
    <>
      <PageHead title={`auth/${path}`} lede={<bdi>{entry.description || texts.noDescription}</bdi>} />
      <Moved />
      <Facts
        of={[
          [texts.method, <code key="type">{entry.type}</code>],
          [texts.accessor, <Copyable key="accessor" text={entry.accessor} what={texts.accessor2} />],
          [
            texts.pages,
            parts.length > 0 && (
              <span key="in" className={styles.links}>
                {parts.map(([label, to]) => (
                  <Link key={to} className="link" to={to} search={{ mount: path }}>
                    {label}
                  </Link>
                ))}
              </span>
            ),
          ],
        ]}
      />
      <Tuning
        key={JSON.stringify([entry.description, entry.config])}
        path={path}
        entry={entry}
        mayTune={may(`${place}/tune`, 'sudo') && may(`${place}/tune`, 'update')}
      />
      <div className={styles.does}>
        {mayMove && <Button onClick={() => setAsking('move')}>{texts.move2}</Button>}
        {mayDisable && (
          <Button look="danger" onClick={() => setAsking('disable')}>
            {texts.disable2}
          </Button>
        )}
      </div>
      {asking === 'move' && <MoveDialog path={path} onClose={close} />}
      {asking === 'disable' && <DisableDialog path={path} onClose={close} />}
    </>
  );
}

/** Result of the move that led to this page. */
function Moved() {
  const { moved = '' } = route.useSearch();
  const { data } = useQuery({
    ...access.query('GET /sys/remount/status/{id}', { path: { id: moved } }),
    enabled: moved !== '',
  });
  if (!data) return null;
  const { source_mount: from, target_mount: to, status } = data.data.migration_info;
  return (
    <p role="status">
      {texts.movedFrom} <code>{from}</code> {texts.to} <code>{to}</code>: {status}
    </p>
  );
}

const KINDS = ['default-service', 'default-batch', 'service', 'batch'].map((kind) => [kind, kind] as const);
const SHOWN = [
  ['hidden', texts.hidden],
  ['unauth', texts.shownWithoutAToken],
] as const;

function tuningOf({ description, config }: AccessSchemas['MountEntry']) {
  const life = (seconds: number) => (seconds > 0 ? String(seconds) : 'system');
  return {
    description,
    default_lease_ttl: life(config.default_lease_ttl),
    max_lease_ttl: life(config.max_lease_ttl),
    token_type: config.token_type,
    listing_visibility: config.listing_visibility ?? 'hidden',
  };
}

function Tuning({
  path,
  entry,
  mayTune,
}: MountViewProps & { readonly entry: AccessSchemas['MountEntry']; readonly mayTune: boolean }) {
  const [before] = useState(() => tuningOf(entry));
  const [after, setAfter] = useState(before);
  const queries = useQueryClient();
  const names = Object.keys(before) as (keyof typeof before)[];
  const changes = Object.fromEntries(
    names.flatMap((name) => (after[name] === before[name] ? [] : [[name, after[name]]])),
  );
  const isSame = Object.keys(changes).length === 0;
  const tune = useMutation({
    mutationFn: () => access.send('POST /sys/auth/{path}/tune', { path: { path }, body: changes }),
    onSuccess: async () => {
      announce(texts.tunedAuth(path));
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  const missing = !mayTune && texts.requiresSudoAndUpdate(path);
  const of = (name: keyof typeof before) => ({
    name,
    label: name,
    value: after[name],
    onText: (value: string) => setAfter((known) => ({ ...known, [name]: value })),
  });
  const life = texts.secondsOrADuration;
  return (
    <Form
      action={texts.tune}
      isPrimary={mayTune}
      busy={tune.isPending}
      fault={tune.error}
      off={missing || (isSame && texts.noChanges)}
      onSubmit={() => tune.mutate()}
    >
      <Field {...of('description')} readOnly={!mayTune} help={texts.noteForAdministrators} />
      <Field {...of('default_lease_ttl')} readOnly={!mayTune} help={texts.defaultLifetimeOfTokens(life)} />
      <Field {...of('max_lease_ttl')} readOnly={!mayTune} help={texts.maximumLifetimeOfTokens(life)} />
      <Select {...of('token_type')} options={KINDS} off={missing} help={texts.forAllTokensOr} />
      <Select {...of('listing_visibility')} options={SHOWN} off={missing} />
    </Form>
  );
}
