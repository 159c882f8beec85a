// Random legal play by TAG (github.com/GAIGResearch/TabletopGames), for benchmarks/peers.py:
// a line "KIND COUNT" is answered with "GAMES DECISIONS SECONDS" of the processor.

import com.sun.management.OperatingSystemMXBean;
import core.AbstractGameState;
import core.actions.AbstractAction;
import games.powergrid.PowerGridForwardModel;
import games.powergrid.PowerGridGameState;
import games.powergrid.PowerGridParameters;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;

public class TagPeer {
    static final int PLAYERS = 4;
    static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    static final Random RANDOM = new Random(1);
    static final PowerGridForwardModel MODEL = new PowerGridForwardModel();
    static long decisions = 0;

    static AbstractGameState newGame() {
        PowerGridParameters parameters = new PowerGridParameters();
        parameters.setRandomSeed(RANDOM.nextLong());
        PowerGridGameState state = new PowerGridGameState(parameters, PLAYERS);
        MODEL.setup(state);
        return state;
    }

    static AbstractGameState play(AbstractGameState state, int most) {
        for (int made = 0; state.isNotTerminal() && made < most; made++) {
            List<AbstractAction> actions = MODEL.computeAvailableActions(state);
            MODEL.next(state, actions.get(RANDOM.nextInt(actions.size())).copy());
            decisions++;
        }
        return state;
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(new PrintStream(PrintStream.nullOutputStream())); // TAG prints as it plays
        BufferedReader asked = new BufferedReader(new InputStreamReader(System.in));
        AbstractGameState midgame = play(newGame(), 200);
        for (String line; (line = asked.readLine()) != null; ) {
            String kind = line.split(" ")[0];
            int count = Integer.parseInt(line.split(" ")[1]);
            decisions = 0;
            long began = PROCESS.getProcessCpuTime();
            for (int done = 0; done < count; done++) {
                switch (kind) {
                    case "games" -> play(newGame(), Integer.MAX_VALUE);
                    case "new" -> newGame();
                    case "copy" -> midgame.copy();
                    default -> throw new IllegalArgumentException(kind);
                }
            }
            double seconds = (PROCESS.getProcessCpuTime() - began) / 1e9;
            answers.println(count + " " + decisions + " " + seconds);
            answers.flush();
        }
    }
}
