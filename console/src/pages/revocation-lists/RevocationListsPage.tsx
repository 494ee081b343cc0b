import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type AccessSchemas, access } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { AskDialog } from '../../components/dialog/Dialog.tsx';
import { Field } from '../../components/form/Field.tsx';
import { Gauge } from '../../components/gauge/Gauge.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { State } from '../../components/state/State.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { count, counted } from '../../format/number.ts';
import { exact, short } from '../../format/time.ts';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { AddListDialog } from './AddListDialog.tsx';
import { FindSerial } from './FindSerial.tsx';
import styles from './revocation-lists.module.css';
import * as texts from './texts.ts';

const LIST = 'GET /auth/{cert_mount_path}/crls/';
/** Maximum number of CRLs in one response. */
const MOST = 100;
const EVERY_MS = 30_000;

const route = getRouteApi('/signed-in/~access/revocation-lists');

/** A CRL with its name. */
export interface Row {
  readonly name: string;
  readonly info: AccessSchemas['CrlInfo'] | undefined;
}

/** CRLs of a certificate mount: whether they are fresh, and which certificates they revoke. */
export function RevocationListsPage() {
  const { mount = 'cert', serial } = route.useSearch();
  const navigate = useNavigate({ from: '/~access/revocation-lists' });
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<string | undefined>();
  const path = { cert_mount_path: mount };
  const input = { path, query: { list: 'true' as const, detail: true, limit: MOST } };
  const may = useMay([`auth/${mount}/crls/+`]);
  usePlace([{ label: texts.access }, { label: `auth/${mount}` }, { label: texts.crls }]);
  usePathLine({ request: access.request(LIST, input), command: `lockkeeper list auth/${mount}/crls` });
  const lists = useQuery({
    ...access.query(LIST, input),
    refetchInterval: EVERY_MS,
  });
  const mayWrite = may(`auth/${mount}/crls/+`, 'create', 'update');
  const mayDelete = may(`auth/${mount}/crls/+`, 'delete');
  return (
    <>
      <PageHead
        title={texts.crls}
        lede={texts.certificateRevocationListsCrls(mount)}
        actions={mayWrite && <Button onClick={() => setAdding(true)}>{texts.addCrl2}</Button>}
      />
      <QueryResult query={lists} what={texts.theCrls2} missing={<code>list on auth/{mount}/crls</code>} isPage={false}>
        {({ data }) => {
          const rows = data.keys.map((name): Row => ({ name, info: data.key_info?.[name] }));
          if (rows.length === 0) {
            return (
              <Empty
                title={texts.noCrlsYet}
                command={`lockkeeper write auth/${mount}/crls/corp url=https://ca.example/corp.crl`}
              >
                {texts.withoutACrlRevoked}
              </Empty>
            );
          }
          return (
            <>
              <p className={styles.answer}>{answerOf(rows)}</p>
              <Table
                label={texts.crls}
                twoLines
                items={rows}
                keyOf={({ name }) => name}
                columns={[
                  {
                    id: 'name',
                    head: texts.name,
                    isName: true,
                    cell: ({ name, info }) => (
                      <>
                        {name}
                        <span className={`${styles.issuer} soft`} dir="auto">
                          {info?.issuer}
                        </span>
                      </>
                    ),
                  },
                  {
                    id: 'state',
                    head: texts.state,
                    cell: ({ info }) => (
                      <State icon={iconOf(info)} is={isWell(info) ? 'good' : 'bad'}>
                        {stateOf(info)}
                      </State>
                    ),
                  },
                  {
                    id: 'age',
                    head: texts.age,
                    className: styles.life,
                    cell: ({ info }) =>
                      info && (
                        <>
                          <Ago time={info.this_update} />
                          {info.next_update ? (
                            <Due at={info.next_update} />
                          ) : (
                            <span className="soft">{texts.noNextUpdate}</span>
                          )}
                          <Gauge from={info.this_update} to={info.next_update} />
                        </>
                      ),
                  },
                  {
                    id: 'entries',
                    head: texts.entries,
                    isNumber: true,
                    cell: ({ info }) => info && count(info.entries),
                  },
                  {
                    id: 'from',
                    head: texts.source,
                    className: styles.from,
                    cell: ({ info }) =>
                      info?.cdp ? (
                        <>
                          <code>{info.cdp.url}</code>
                          {info.status.last_error && <span className={styles.error}>{info.status.last_error}</span>}
                        </>
                      ) : (
                        <span className="soft">{texts.uploaded}</span>
                      ),
                  },
                  {
                    id: 'do',
                    head: texts.actions,
                    hideHead: true,
                    isNumber: true,
                    cell: ({ name, info }) => (
                      <span className={styles.does}>
                        {mayWrite && info?.cdp && <Fetch mount={mount} name={name} url={info.cdp.url} />}
                        {mayDelete && (
                          <Button look="small" onClick={() => setRemoving(name)}>
                            {texts.deleteText}
                          </Button>
                        )}
                      </span>
                    ),
                  },
                ]}
              />
              <FindSerial
                mount={mount}
                names={data.keys}
                serial={serial ?? ''}
                onSerial={(next) => void navigate({ search: (before) => ({ ...before, serial: next }), replace: true })}
              />
            </>
          );
        }}
      </QueryResult>
      {adding && <AddListDialog mount={mount} onClose={() => setAdding(false)} />}
      {removing && <RemoveDialog mount={mount} name={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

function Due({ at }: { readonly at: string }) {
  const left = (Date.parse(at) - Date.now()) / 1000;
  return (
    <span className={left < 0 ? styles.error : 'soft'}>
      {left < 0 ? texts.overdueBy : texts.nextIn}
      <time dateTime={at} title={exact(at)}>
        {short(left)}
      </time>
    </span>
  );
}

const isWell = (info: Row['info']): boolean =>
  info === undefined || (!info.status.stale && info.status.signature === 'verified' && info.status.failures === 0);

function iconOf(info: Row['info']) {
  return isWell(info) ? 'ok' : 'warn';
}

/** Describes the state of a CRL, problems first. */
function stateOf(info: Row['info']): string {
  if (info === undefined) return texts.noPermissionToRead;
  const { stale, signature, signature_fault: fault, failures } = info.status;
  if (signature === 'invalid') return texts.signatureInvalid(fault ? `: ${fault}` : '');
  if (stale) return info.on_stale === 'refuse' ? texts.pastItsNextUpdate : texts.pastItsNextUpdate2;
  if (signature === 'unknown-issuer') return texts.issuerUnknownToAllRoles;
  return failures > 0 ? counted(failures, texts.failedFetch, texts.failedFetches) : texts.fresh;
}

/** Summarizes the state of all CRLs. */
function answerOf(rows: readonly Row[]): string {
  const ill = rows.filter(({ info }) => !isWell(info)).length;
  const all = counted(rows.length, texts.crl);
  return ill === 0
    ? texts.freshAndVerified(rows.length === 1 ? texts.theCrlIs : texts.allAre(all))
    : texts.ofNeedAttention(ill, all);
}

function Fetch({ mount, name, url }: { readonly mount: string; readonly name: string; readonly url: string }) {
  const queries = useQueryClient();
  const fetching = useMutation({
    mutationFn: () =>
      access.send('POST /auth/{cert_mount_path}/crls/{name}', {
        path: { cert_mount_path: mount, name },
        body: { url },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: access.key(LIST) }),
    onSuccess: () => announce(texts.fetched(name)),
  });
  return (
    <>
      {fetching.error && (
        <span className={styles.error} role="alert">
          {fetching.error.message}
        </span>
      )}
      <Button look="small" onClick={() => fetching.mutate()}>
        {fetching.isPending ? texts.fetching : texts.fetchNow}
      </Button>
    </>
  );
}

function RemoveDialog({
  mount,
  name,
  onClose,
}: {
  readonly mount: string;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      access.send('DELETE /auth/{cert_mount_path}/crls/{name}', { path: { cert_mount_path: mount, name } }),
    onSuccess: async () => {
      announce(texts.deleted(name));
      await queries.invalidateQueries({ queryKey: access.key(LIST) });
      onClose();
    },
  });
  return (
    <AskDialog
      title={texts.deleteTheCrl(name)}
      action={texts.deleteText2}
      destroys
      off={typed !== name && texts.typeTheNameToConfirm}
      busy={remove.isPending}
      fault={remove.error}
      onAction={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{texts.certificatesThatOnlyThis}</p>
      <Field label={texts.nameOfTheCrl} help={texts.typeToConfirm(name)} value={typed} onText={setTyped} autoFocus />
    </AskDialog>
  );
}
