import { readConfig } from '../config.ts';
import { openDatabase } from '../data/connection/client.ts';
import { openAnalyser } from '../feed/analyser.ts';
import { type Applied, applyQueue } from '../feed/changes.ts';
import { answerWith } from './child.ts';

const config = readConfig(process.env);
const sql = openDatabase(config.databaseUrl ?? '', { max: 1, applicationName: 'vitrine-catalog' });
const analyser = openAnalyser();
answerWith((): Promise<Applied> => applyQueue(sql, analyser));
