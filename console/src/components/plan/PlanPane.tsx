import { type ReactNode, useState } from 'react';
import { count, counted } from '../../format/number.ts';
import { Button } from '../button/Button.tsx';
import { Answered } from '../faces/Answered.tsx';
import { Icon } from '../icon/Icon.tsx';
import { ChangeRow } from './ChangeRow.tsx';
import { OPERATIONS } from './operations.ts';
import styles from './plan.module.css';
import { type Change, countsOf, type Operation, type Plan } from './plan.ts';
import { usePlan } from './use-plan.ts';

/** Resources that are in the page at first, and come with each click. */
const PART = 200;
/** Those that are open at first. */
const OPEN = 20;

/** Which resources are shown: in the address. */
export interface PlanFilter {
  readonly operation?: Operation | undefined;
  /** Part of an address. */
  readonly resource?: string | undefined;
}

interface PlanPaneProps {
  readonly planId: string | undefined;
  readonly isMade: boolean;
  readonly title: string;
  readonly filter: PlanFilter;
  readonly onFilter: (change: PlanFilter) => void;
  /** In the place of the plan as long as it is not made. */
  readonly before: ReactNode;
  /** Where there is no plan as data: what is told of it otherwise. */
  readonly words: ReactNode;
}

/** What a plan changes, resource by resource. */
export function PlanPane({ planId, isMade, title, filter, onFilter, before, words }: PlanPaneProps) {
  const query = usePlan(planId, isMade);
  const answer = query.data;
  return (
    <section className={styles.pane} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {answer?.is === 'plan' && <Counts plan={answer.plan} filter={filter} onFilter={onFilter} />}
      </div>
      {!isMade ? (
        <div className={styles.words}>{before}</div>
      ) : (
        <Answered query={query} what="The plan">
          {(read) =>
            read.is === 'plan' ? (
              <Changes plan={read.plan} filter={filter} />
            ) : (
              <div className={styles.words}>
                {words}
                <p className="soft">{read.why} What it says is in its log.</p>
              </div>
            )
          }
        </Answered>
      )}
    </section>
  );
}

/** How many of each operation, and the filter for them. */
function Counts({ plan, filter, onFilter }: { plan: Plan } & Pick<PlanPaneProps, 'filter' | 'onFilter'>) {
  return (
    <>
      <fieldset className={styles.counts}>
        <legend className="sr">Show by operation</legend>
        {countsOf(plan.resources).map(([operation, number]) => {
          const { icon, is, todo } = OPERATIONS[operation];
          const isOn = filter.operation === operation;
          return (
            <button
              key={operation}
              type="button"
              aria-pressed={isOn}
              className={styles[is]}
              onClick={() => onFilter({ operation: isOn ? undefined : operation })}
            >
              <Icon name={icon} is={is} />
              {count(number)} {todo}
            </button>
          );
        })}
      </fieldset>
      {plan.resources.length > 1 && (
        <span className={styles.find}>
          <Icon name="filter" />
          <input
            type="search"
            aria-label="Filter by address"
            placeholder="Filter by address"
            value={filter.resource ?? ''}
            onChange={(event) => onFilter({ resource: event.target.value || undefined })}
          />
        </span>
      )}
    </>
  );
}

function Changes({ plan, filter }: { readonly plan: Plan; readonly filter: PlanFilter }) {
  const wanted = filter.resource?.toLowerCase() ?? '';
  const fits = ({ address, operation }: Change) =>
    (filter.operation === undefined || filter.operation === operation) && address.toLowerCase().includes(wanted);
  const isFiltered = filter.operation !== undefined || wanted !== '';
  const resources = plan.resources.filter(fits);
  const isEmpty = plan.resources.length === 0 && plan.outputs.length === 0 && plan.drift.length === 0;
  return (
    <>
      {isEmpty && <p className={styles.words}>No changes: what is there is as the configuration says.</p>}
      {isFiltered && resources.length === 0 && <p className={styles.words}>No resource fits.</p>}
      <ChangeList label="Resources" changes={resources} opens={resources.length <= OPEN ? OPEN : OPEN / 4} />
      {!isFiltered && <ChangeList label="Outputs" title="Outputs" changes={plan.outputs} opens={OPEN} />}
      {!isFiltered && (
        <ChangeList label="Drift" title="Changed beside the configuration" changes={plan.drift} opens={0} />
      )}
      {plan.unchanged > 0 && (
        <p className={styles.rest}>
          {counted(plan.unchanged, 'resource stays as it is', 'resources stay as they are')}
        </p>
      )}
    </>
  );
}

interface ChangeListProps {
  readonly label: string;
  readonly title?: string;
  readonly changes: readonly Change[];
  /** How many of them are open at first. */
  readonly opens: number;
}

function ChangeList({ label, title, changes, opens }: ChangeListProps) {
  const [most, setMost] = useState(PART);
  if (changes.length === 0) return null;
  const more = changes.length - most;
  return (
    <>
      {title && <h3 className={styles.group}>{title}</h3>}
      <ul className={styles.plan} aria-label={label}>
        {changes.slice(0, most).map((change, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an address can be there twice: what is left over of it, and it
          <ChangeRow key={`${change.address} ${at}`} change={change} isOpen={at < opens} />
        ))}
      </ul>
      {more > 0 && (
        <p className={styles.rest}>
          <Button look="small" onClick={() => setMost(most + PART)}>
            Show {count(Math.min(PART, more))} more of {count(more)}
          </Button>
        </p>
      )}
    </>
  );
}
