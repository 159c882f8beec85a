// A bot in a process of its own, in Rust without any crate: it buys and builds what it can.
//
// rustc -O -o bot examples/bots/bot.rs
// highvoltage tournament --bots clerk*3 --bot cmd:./bot

use std::io::{self, BufRead, Write};

const BUSY: [&str; 4] = ["buy", "build", "run", "nominate"]; // what brings a company forward

/// The moves in the list `legal`, which is the last field of a message. No move needs an escape.
fn legal_moves(message: &str) -> Vec<&str> {
    let list = message.rsplit("\"legal\":").next().unwrap_or("");
    list.split("\"move\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn choose(message: &str) -> String {
    let moves = legal_moves(message);
    let forward = moves.iter().rev().find(|m| BUSY.iter().any(|verb| m.starts_with(verb)));
    forward.or(moves.last()).map(|m| m.to_string()).unwrap_or_default()
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let message = line?;
        if message.starts_with("{\"type\":\"hello\"") {
            writeln!(out, "{{\"type\":\"hello\",\"protocol\":1}}")?;
        } else if message.starts_with("{\"type\":\"choose\"") {
            writeln!(out, "{{\"type\":\"choice\",\"move\":\"{}\"}}", choose(&message))?;
        }
        out.flush()?;
    }
    Ok(())
}
