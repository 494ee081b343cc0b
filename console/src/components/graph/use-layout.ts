import { useEffect, useState } from 'react';
import { openThread } from '../../api/worker.ts';
import { type GraphNode, LAID_OUT_HERE } from './graph.ts';
import type { Layout } from './layout.ts';
import url from './layout-worker.ts?worker&url';

interface Laid {
  readonly of: readonly GraphNode[];
  readonly layout?: Layout;
  readonly fault?: string;
}

/** Computes the layout: small graphs in this thread, larger ones in a web worker. */
export function useLayout(nodes: readonly GraphNode[]): Omit<Laid, 'of'> | undefined {
  const [laid, setLaid] = useState<Laid | undefined>();
  useEffect(() => {
    let isOver = false;
    const thread = nodes.length > LAID_OUT_HERE ? openThread<readonly GraphNode[], Layout>(url) : undefined;
    const work = thread ? thread.ask(nodes) : import('./layout.ts').then(({ layoutOf }) => layoutOf(nodes));
    work.then(
      (layout) => !isOver && setLaid({ of: nodes, layout }),
      (error: Error) => !isOver && setLaid({ of: nodes, fault: error.message }),
    );
    return () => {
      isOver = true;
      thread?.close();
    };
  }, [nodes]);
  return laid?.of === nodes ? laid : undefined;
}
