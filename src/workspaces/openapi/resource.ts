export * from '../resource/shapes.ts';
