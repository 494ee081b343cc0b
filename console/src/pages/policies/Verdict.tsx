import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon/Icon.tsx';
import styles from './explain.module.css';
import type { Explanation } from './marks.ts';
import * as texts from './texts.ts';

interface VerdictProps {
  readonly explanation: Explanation;
  /** The policy in the editor beside it, whose lines need no link. */
  readonly name?: string | undefined;
}

/** Result of the check, in the server's words. */
export function Verdict({ explanation, name }: VerdictProps) {
  const { allowed, detail, rule, needs_sudo: sudo, missing_policies: missing, unreadable_policies: bad } = explanation;
  const [first] = rule?.blocks ?? [];
  return (
    <div className={styles.part} aria-live="polite">
      <div className={styles.verdict}>
        <Icon name={allowed ? 'gate-open' : 'gate-shut'} is={allowed ? 'good' : 'bad'} />
        <div>
          <p>{allowed ? texts.allowed2 : texts.denied2}</p>
          <p className="soft">
            {detail}
            {first && (
              <>
                {texts.by} <Line policy={first.policy} line={first.line} name={name} explanation={explanation} />
              </>
            )}
          </p>
          {sudo && <p className="soft">{texts.theOperationAlsoRequiresSudo}</p>}
          {missing.length > 0 && <p className="soft">{texts.policyNotFound(missing.join(', '))}</p>}
          {bad.map(({ policy, problem }) => (
            <p key={policy}>{texts.isNotValid(policy, problem)}</p>
          ))}
        </div>
      </div>
    </div>
  );
}

interface LineProps extends VerdictProps {
  readonly policy: string;
  readonly line: number;
}

function Line({ policy, line, name, explanation: { path, capability } }: LineProps) {
  if (policy === name) return <>{texts.line(line)}</>;
  return (
    <>
      {texts.lineOf(line)}{' '}
      <Link
        className="link"
        to="/~access/policies/acl/$name"
        params={{ name: policy }}
        search={{ path, capability, line: String(line) }}
      >
        {policy}
      </Link>
    </>
  );
}

/** All rules that match the path: the deciding one, overridden ones and ignored ones. */
export function Rules({ explanation, name }: VerdictProps) {
  const { allowed, rule, overridden, dropped } = explanation;
  if (!rule && dropped.length === 0) return null;
  return (
    <div className={styles.part}>
      <h2>{rule ? texts.rulesThatMatchThisPath : texts.noRuleMatchesThisPath}</h2>
      <ol className={styles.rules}>
        {rule && (
          <Rule
            icon={<Icon name={allowed ? 'check' : 'x'} is={allowed ? 'good' : 'bad'} />}
            path={rule.path}
            lines={<Lines blocks={rule.blocks} name={name} explanation={explanation} />}
          >
            <strong className={allowed ? styles.good : styles.bad}>{texts.decides}</strong>:{' '}
            {rule.capabilities.join(', ')}
          </Rule>
        )}
        {overridden.map((one) => (
          <Rule
            key={one.path}
            icon={<Icon name="minus" />}
            path={one.path}
            isLost
            lines={<Lines blocks={one.blocks} name={name} explanation={explanation} />}
          >
            {texts.overriddenBecause(one.because, one.capabilities.join(', '))}
          </Rule>
        ))}
      </ol>
      {dropped.length > 0 && (
        <details className={styles.dropped}>
          <summary>{texts.rulesIgnored(dropped.length)}</summary>
          <ol className={styles.rules}>
            {dropped.map((one) => (
              <Rule
                key={`${one.policy} ${one.line} ${one.path}`}
                icon={<Icon name="slash" />}
                path={one.path}
                isLost
                lines={<Lines blocks={[one]} name={name} explanation={explanation} />}
              >
                {texts.ignored(one.because)}
              </Rule>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

interface RuleProps {
  readonly icon: ReactNode;
  readonly path: string;
  readonly lines: ReactNode;
  readonly isLost?: boolean;
  readonly children: ReactNode;
}

function Rule({ icon, path, lines, isLost, children }: RuleProps) {
  return (
    <li>
      {icon}
      <code className={isLost ? 'soft' : ''}>{path}</code>
      <span className={styles.lines}>{lines}</span>
      <p>{children}</p>
    </li>
  );
}

/** @limit places of one rule that the page shows, places -> the others are counted */
const MOST_LINES = 4;

function Lines({
  blocks,
  name,
  explanation,
}: VerdictProps & { readonly blocks: readonly { readonly policy: string; readonly line: number }[] }) {
  return (
    <>
      {blocks.slice(0, MOST_LINES).map((block) => (
        <span key={`${block.policy} ${block.line}`}>
          <Line {...block} name={name} explanation={explanation} />
        </span>
      ))}
      {blocks.length > MOST_LINES && <span>{texts.andMore3(blocks.length - MOST_LINES)}</span>}
    </>
  );
}
