#!/bin/sh
# A USI engine that misbehaves: the option Vice says how. It plays from the list in $MOVES, one per go.
vice=none
while read -r word rest; do
    case "$word" in
    usi) printf 'id name mock\noption name Vice type string default none\nusiok\n' ;;
    setoption) case "$rest" in *Vice*) vice=${rest##* } ;; esac ;;
    isready) echo readyok ;;
    go)
        case "$vice" in
        crash) echo 'info string I am about to die'; exit 3 ;;
        stall) echo 'info string thinking hard' ;;
        late) sleep 0.4; echo 'bestmove resign' ;;
        illegal) echo 'bestmove 5i5a' ;;
        illegible) echo 'bestmove castle' ;;
        declare) echo 'bestmove win' ;;
        flood) i=0; while [ $i -lt 3000 ]; do echo "info string la la $i"; i=$((i + 1)); done; echo 'bestmove resign' ;;
        endless) while :; do echo 'info string la la la'; done ;;
        garbage) head -c 200000 /dev/urandom; printf '\nbestmove resign\n' ;;
        *) printf 'info depth 3 score cp -99 nodes 7 pv 7g7f\nbestmove resign\n' ;;
        esac
        ;;
    quit) exit 0 ;;
    esac
done
