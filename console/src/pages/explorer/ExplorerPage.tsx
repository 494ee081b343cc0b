import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Select } from '../../components/form/Field.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Menu, MenuItem } from '../../components/menu/Menu.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Pager } from '../../components/pager/Pager.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Table } from '../../components/table/Table.tsx';
import { count } from '../../format/number.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { Conditions } from './Conditions.tsx';
import { columnsOf } from './columns.tsx';
import styles from './explorer.module.css';
import { FIELDS, isType } from './fields.ts';
import { columnsIn, conditionsIn, type ExplorerSearch, fieldsOf, queryOf, typeOf, whereOf } from './search.ts';
import * as texts from './texts.ts';
import { Views } from './Views.tsx';

const LIST = 'GET /organizations/{organization_name}/explorer';
const CSV = 'GET /organizations/{organization_name}/explorer/export/csv';
/** Polling interval, milliseconds. */
const EVERY_MS = 10_000;
/** Rows of a page. */
const SIZE = 50;

type Changes = { readonly [Key in keyof ExplorerSearch]?: ExplorerSearch[Key] | undefined };

const route = getRouteApi('/signed-in/$organization/explorer');

/** Query over all workspaces of an organization that the user may see. The URL contains the query. */
export function ExplorerPage() {
  const { organization } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/explorer' });
  const open = (next: ExplorerSearch) => void navigate({ search: next });
  const change = (changes: Changes) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }) as ExplorerSearch });
  const path = { organization_name: organization };
  const query = queryOf(search);
  usePlace([{ label: organization, to: `/${organization}/workspaces` }, { label: texts.explorer }]);
  const request = workspaces.request(LIST, { path, query });
  usePathLine({ request, command: `lockkeeper api GET '${request.address.replace('/api/v2/', '')}'` });
  const page = Number(search.page ?? 1);
  const list = useQuery({
    ...workspaces.query(LIST, {
      path,
      query: { ...query, fields: fieldsOf(search), 'page[number]': `${page}`, 'page[size]': `${SIZE}` },
    }),
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  const total = list.data?.meta.pagination['total-count'];
  const type = typeOf(search);
  return (
    <>
      <PageHead
        title={texts.explorer}
        beside={total !== undefined && <span className="soft">{texts.found(count(total))}</span>}
        actions={
          <div className={styles.actions}>
            <Views organization={organization} search={search} onOpen={open} />
            <a
              className={buttonClass()}
              href={workspaces.request(CSV, { path, query }).address}
              download={`${organization}-${type}.csv`}
            >
              <Icon name="download" />
              {texts.csv}
            </a>
          </div>
        }
      />
      <div className={styles.filters}>
        <Choices search={search} onChange={change} />
        <Conditions
          type={type}
          conditions={conditionsIn(search)}
          onChange={(conditions) => change({ where: whereOf(conditions) })}
        />
      </div>
      <QueryResult query={list} what={texts.rowsOf(organization)} missing={<code>membership of the organization</code>}>
        {({ data }) =>
          data.length === 0 ? (
            <NoRows isFiltered={search.where !== undefined} onClear={() => change({ where: undefined })} />
          ) : (
            <>
              <Table
                label={texts.types[type]}
                columns={columnsOf(organization, type, columnsIn(search))}
                items={data}
                keyOf={({ id }) => id}
              />
              <Pager
                isByTime={false}
                page={page}
                size={SIZE}
                total={total ?? 0}
                onPage={(next) => change({ page: `${next}` })}
              />
            </>
          )
        }
      </QueryResult>
    </>
  );
}

/** View type, order and columns. */
function Choices({ search, onChange }: { readonly search: ExplorerSearch; readonly onChange: (to: Changes) => void }) {
  const type = typeOf(search);
  const names = Object.keys(FIELDS[type]);
  const shown = columnsIn(search);
  const toggled = (name: string) => names.filter((one) => (one === name) !== shown.includes(one)).join();
  const sorted = names.filter((name) => name !== 'workspaces');
  const orders = sorted.flatMap((name): [string, string][] => [
    [name, texts.labelOf(name)],
    [`-${name}`, texts.descending(texts.labelOf(name))],
  ]);
  const reset = { where: undefined, sort: undefined, fields: undefined, view: undefined };
  return (
    <div className={styles.row}>
      <Select
        label={texts.show}
        value={type}
        options={Object.entries(texts.types)}
        onText={(next) => isType(next) && onChange({ ...reset, type: next })}
      />
      <Select
        label={texts.sortBy}
        value={search.sort ?? ''}
        options={[['', texts.usualOrder], ...orders]}
        onText={(sort) => onChange({ sort: sort || undefined })}
      />
      <Menu className={buttonClass()} button={texts.columns}>
        {names.map((name) => (
          <MenuItem
            key={name}
            checked={shown.includes(name)}
            onChoose={() => onChange({ fields: toggled(name) || undefined })}
          >
            {texts.labelOf(name)}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}

function NoRows({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  if (!isFiltered) return <Empty title={texts.nothingYet}>{texts.whatItIs}</Empty>;
  return (
    <Empty title={texts.nothingMatches} action={<Button onClick={onClear}>{texts.showAll}</Button>}>
      {texts.noRowMatches}
    </Empty>
  );
}
