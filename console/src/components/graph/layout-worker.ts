import { answerAsThread } from '../../api/worker.ts';
import type { GraphNode } from './graph.ts';
import { type Layout, layoutOf } from './layout.ts';

answerAsThread<readonly GraphNode[], Layout>(layoutOf);
