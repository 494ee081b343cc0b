import { type ReactNode, useState } from 'react';
import { type Change, countsOf, type Operation, type Plan } from '../../../../src/lib/plan/plan.ts';
import { count, counted } from '../../format/number.ts';
import { Button } from '../button/Button.tsx';
import { Icon } from '../icon/Icon.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import { ChangeRow } from './ChangeRow.tsx';
import { OPERATIONS } from './operations.ts';
import styles from './plan.module.css';
import * as texts from './texts.ts';
import { usePlan } from './use-plan.ts';

/** Resources shown at first, and added by each click. */
const PART = 200;
/** Resources that are open at first. */
const OPEN = 20;

/** Filter of the resources, stored in the URL. */
export interface PlanFilter {
  readonly operation?: Operation | undefined;
  /** Part of a resource address. */
  readonly resource?: string | undefined;
}

interface PlanPaneProps {
  readonly planId: string | undefined;
  readonly isMade: boolean;
  readonly title: string;
  readonly filter: PlanFilter;
  readonly onFilter: (change: PlanFilter) => void;
  /** Shown instead of the plan until it is ready. */
  readonly before: ReactNode;
  /** Shown if the plan is not available as data. */
  readonly words: ReactNode;
}

/** Changes of a plan, by resource. */
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
        <QueryResult query={query} what={texts.thePlan}>
          {(read) =>
            read.is === 'plan' ? (
              <Changes plan={read.plan} filter={filter} />
            ) : (
              <div className={styles.words}>
                {words}
                <p className="soft">{texts.asText(read.why)}</p>
              </div>
            )
          }
        </QueryResult>
      )}
    </section>
  );
}

/** Number of resources by operation, as filter buttons. */
function Counts({ plan, filter, onFilter }: { plan: Plan } & Pick<PlanPaneProps, 'filter' | 'onFilter'>) {
  return (
    <>
      <fieldset className={styles.counts}>
        <legend className="sr">{texts.showByOperation}</legend>
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
            aria-label={texts.filterByAddress}
            placeholder={texts.filterByAddress}
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
      {isEmpty && <p className={styles.words}>{texts.noChangesTheInfrastructure}</p>}
      {isFiltered && resources.length === 0 && <p className={styles.words}>{texts.noResourcesMatchTheFilter}</p>}
      <ChangeList label={texts.resources} changes={resources} opens={resources.length <= OPEN ? OPEN : OPEN / 4} />
      {!isFiltered && <ChangeList label={texts.outputs} title={texts.outputs} changes={plan.outputs} opens={OPEN} />}
      {!isFiltered && (
        <ChangeList label={texts.drift} title={texts.changesMadeOutsideOf} changes={plan.drift} opens={0} />
      )}
      {plan.unchanged > 0 && (
        <p className={styles.rest}>{counted(plan.unchanged, texts.unchangedResource, texts.unchangedResources)}</p>
      )}
    </>
  );
}

interface ChangeListProps {
  readonly label: string;
  readonly title?: string;
  readonly changes: readonly Change[];
  /** Number of resources that are open at first. */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: an address can appear twice: the resource and a deposed object
          <ChangeRow key={`${change.address} ${at}`} change={change} isOpen={at < opens} />
        ))}
      </ul>
      {more > 0 && (
        <p className={styles.rest}>
          <Button look="small" onClick={() => setMost(most + PART)}>
            {texts.showMoreOf(count(Math.min(PART, more)), count(more))}
          </Button>
        </p>
      )}
    </>
  );
}
