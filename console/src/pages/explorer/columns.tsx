import { Link } from '@tanstack/react-router';
import type { Resources } from '../../api/client.ts';
import type { Column } from '../../components/table/columns.ts';
import { Ago } from '../../components/time/Time.tsx';
import { count } from '../../format/number.ts';
import styles from './explorer.module.css';
import { ASSESSED, FIELDS, type Kind, type ViewType } from './fields.ts';
import * as texts from './texts.ts';

export type Row = Resources['explorer-rows'];

/** Returns the columns of these fields. The first one is the row heading. */
export function columnsOf(organization: string, type: ViewType, names: readonly string[]): Column<Row>[] {
  return names.map((name, at) => {
    const kind = FIELDS[type][name] ?? 'text';
    const valueIn = ({ attributes }: Row) => knownValue(attributes as Attributes, name);
    return {
      id: name,
      head: texts.labelOf(name),
      isName: at === 0,
      isNumber: kind === 'number',
      className: styles.cell,
      cell: (row) =>
        name === 'workspace_name' ? (
          <Link
            to="/$organization/workspaces/$workspace"
            params={{ organization, workspace: String(valueIn(row)) }}
            className="link"
          >
            {String(valueIn(row))}
          </Link>
        ) : (
          shown(kind, valueIn(row))
        ),
    };
  });
}

type Attributes = Readonly<Record<string, unknown>>;

function knownValue(attributes: Attributes, name: string): unknown {
  const isUnknown = ASSESSED.has(name) && attributes['assessed-at'] === null;
  return isUnknown ? null : attributes[name.replaceAll('_', '-')];
}

function shown(kind: Kind, value: unknown) {
  if (value === null || value === undefined) return <span className="soft">{texts.unknown}</span>;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'number') return count(value);
  return kind === 'time' ? <Ago time={String(value)} /> : String(value);
}
