import { saveFile } from '../ui/save'
import { api } from './api'

/** Saves the record of a game as a file. */
export const saveRecord = async (table: string) => saveFile(`highvoltage-${table}.txt`, await api.record(table))
