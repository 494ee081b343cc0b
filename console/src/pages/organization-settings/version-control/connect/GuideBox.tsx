import { Fragment, type ReactNode } from 'react';
import { Copyable } from '../../../../components/copy/Copyable.tsx';
import * as texts from '../texts.ts';
import styles from '../version-control.module.css';
import type { Guide } from './guides.ts';

interface GuideBoxProps {
  readonly product: string;
  readonly guide: Guide;
  /** Values to enter at the provider. */
  readonly children?: ReactNode;
}

/** Steps on the pages of a provider. */
export function GuideBox({ product, guide, children }: GuideBoxProps) {
  const { page, steps, scopes, notes } = guide;
  return (
    <section className={styles.guide} aria-label={texts.atTheProvider(product)}>
      <h3>{texts.atTheProvider(product)}</h3>
      <ol>
        {steps.map((step) => (
          <li key={step}>
            <Words text={step} />
          </li>
        ))}
      </ol>
      <p>
        <a className="link" href={page} target="_blank" rel="noreferrer">
          {texts.openThePage(product)} <span className="sr">{texts.opensInANewTab}</span>
        </a>
      </p>
      {children}
      {scopes.length > 0 && (
        <>
          <h4>{texts.scopesToChoose}</h4>
          <ul className={styles.scopes}>
            {scopes.map((scope) => (
              <li key={scope}>
                <Copyable text={scope} what={texts.scope} />
              </li>
            ))}
          </ul>
        </>
      )}
      {notes.map((note) => (
        <p key={note} className="soft">
          {note}
        </p>
      ))}
    </section>
  );
}

/** Text in which names of buttons are between `**`. */
function Words({ text }: { readonly text: string }) {
  return text.split('**').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a fixed text
    index % 2 === 1 ? <strong key={index}>{part}</strong> : <Fragment key={index}>{part}</Fragment>,
  );
}
